// A run's data as arrays that views can walk quickly, and the window of time that its charts share.

// How a result comes to hold what grows with the launch.
function detailComesBy(run) {
  return run.engine === "functional" ?
      "Only a timed run has it: run without --functional, with --report." :
      "Run with --detail or --report.";
}

// Sums of the differences that the timeline's columns hold.
function running(column) {
  const values = new Float64Array(column.length);
  let last = 0;
  for (let i = 0; i < column.length; ++i) values[i] = last += column[i];
  return values;
}

// All TBs of all launches, in core cycles of the run: columns tb, launch, sm, slot, from, to, group
// (-1: none) over `count`. Null where no launch has a timeline.
const placedOf = new WeakMap();
function placements(run) {
  if (!placedOf.has(run)) placedOf.set(run, place(run));
  return placedOf.get(run);
}

function place(run) {
  const launches = list(run.launches);
  const count = launches.reduce((n, launch) => n + list(at(launch, "timeline.tb")).length, 0);
  if (count === 0) return null;
  const placed = {
    count,
    tb: new Int32Array(count),
    launch: new Int32Array(count),
    sm: new Int32Array(count),
    slot: new Int32Array(count),
    from: new Float64Array(count),
    to: new Float64Array(count),
    group: new Int32Array(count).fill(-1),
    groups: 0,  // the most of a launch
    allGroups: 0,
    sms: 0,
    end: 0,
    steals: []
  };
  let next = 0, start = 0;
  launches.forEach((launch, number) => {
    const columns = {};
    for (const name of ["tb", "sm", "slot", "from", "to"])
      columns[name] = running(list(at(launch, `timeline.${name}`)));
    const groups = list(launch.groups);
    const groupOf = new Map();
    groups.forEach((tbs, group) => tbs.forEach((tb) => groupOf.set(tb, group)));
    placed.groups = Math.max(placed.groups, groups.length);
    placed.allGroups += groups.length;
    for (let i = 0; i < columns.tb.length; ++i, ++next) {
      placed.tb[next] = columns.tb[i];
      placed.launch[next] = number;
      placed.sm[next] = columns.sm[i];
      placed.slot[next] = columns.slot[i];
      placed.from[next] = start + columns.from[i];
      placed.to[next] = start + columns.to[i];
      if (groups.length > 0)
        placed.group[next] = groupOf.has(columns.tb[i]) ? groupOf.get(columns.tb[i]) : -1;
    }
    for (const steal of list(launch.steals))
      placed.steals.push({...steal, cycle: start + steal.cycle});
    start += isNumber(launch.cycles) ? launch.cycles : 0;
  });
  placed.end = Math.max(start, largest(placed.to));
  placed.sms = largest(placed.sm) + 1;
  // A chip's SMs without any TB are rows too.
  for (const launch of launches)
    placed.sms = Math.max(placed.sms, list(at(launch, "sms.warp_instructions")).length);
  placed.slots = largest(placed.slot) + 1;
  return placed;
}

// What charts over time of one result show; they follow each other.
class TimeWindow {
  constructor(end) {
    Object.assign(this, {from: 0, to: end, end, listeners: []});
  }
  set(from, to) {
    const width = Math.min(Math.max(to - from, 10), this.end);
    this.from = Math.max(0, Math.min(from, this.end - width));
    this.to = this.from + width;
    const start = performance.now();
    for (const listener of this.listeners) listener();
    document.body.dataset.zoomMs = Math.round(performance.now() - start);
  }
  scale(factor) {
    const middle = (this.from + this.to) / 2, half = ((this.to - this.from) / 2) * factor;
    this.set(middle - half, middle + half);
  }
}

function windowOf(panel, end) {
  const shared = panel.tab.shared;
  if (!shared.window) shared.window = new TimeWindow(end);
  return shared.window;
}

// Lets a chart whose time axis spans `left` to width - `right` choose the window: drag to choose,
// a double click for all, and keys.
function chooseTime(chart, window, left, right) {
  const canvas = chart.canvas;
  canvas.tabIndex = 0;
  const cycleAt = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.painter.width;
    const share = (x - left) / (chart.painter.width - left - right);
    return window.from + Math.min(1, Math.max(0, share)) * (window.to - window.from);
  };
  let start = null;
  canvas.addEventListener("pointerdown", (event) => {
    start = [cycleAt(event), event.clientX];
  });
  canvas.addEventListener("pointerup", (event) => {
    if (start !== null && Math.abs(event.clientX - start[1]) > 4) {
      const [a, b] = [start[0], cycleAt(event)].sort((x, y) => x - y);
      window.set(a, b);
    }
    start = null;
  });
  canvas.addEventListener("dblclick", () => window.set(0, window.end));
  canvas.addEventListener("keydown", (event) => {
    const step = (window.to - window.from) / 4;
    const moves = {ArrowLeft: [-step, -step], ArrowRight: [step, step]};
    if (moves[event.key])
      window.set(window.from + moves[event.key][0], window.to + moves[event.key][1]);
    else if (event.key === "+")
      window.scale(0.5);
    else if (event.key === "-")
      window.scale(2);
    else if (event.key === "0")
      window.set(0, window.end);
    else
      return;
    event.preventDefault();
  });
  window.listeners.push(() => chart.redraw());
}

// The same by number fields and buttons.
function timeControls(window) {
  const field = (label) => {
    const input = element("input", {type: "number", min: 0, max: window.end, step: 1});
    input.addEventListener("change", () => window.set(+fields[0].value, +fields[1].value));
    return [input, element("label", {}, label, input)];
  };
  const [[from, fromLabel], [to, toLabel]] = [field("Cycles from"), field("to")];
  const fields = [from, to];
  const show = () => {
    from.value = Math.round(window.from);
    to.value = Math.round(window.to);
  };
  show();
  window.listeners.push(show);
  const button = (name, title, work) =>
      element("button", {type: "button", title, onclick: work}, name);
  return [
    fromLabel, toLabel, button("+", "Half as much time", () => window.scale(0.5)),
    button("−", "Twice as much time", () => window.scale(2)),
    button("all", "The whole run", () => window.set(0, window.end))
  ];
}
