// What all views share: making elements, the list of views, and where errors are counted.
const errors = [];
const views = [];

// A view is {id, schemas, question, half, build(panel, result)}. `half`: it fills half of the
// width.
function view(definition) {
  views.push(definition);
}

// At most so many characters, with an ellipsis for what is left out at the end.
function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// "conv2d (paper)"; a workload without sizes has its name alone.
const workloadName = (result) =>
    (result.size ? `${result.workload} (${result.size})` : result.workload);
// A launch's kernel as its source names it; `entry` is its name in PTX.
const kernelName = (launch) => launch.kernel || launch.entry;
// The same of an entry of a result.
function kernelOf(result, entry) {
  const launch = list(result.launches).find((each) => each.entry === entry);
  return launch ? kernelName(launch) : entry;
}

// Names in letters that run from right to left stay whole in sentences and tables.
function isolated(json) {
  if (typeof json === "string")
    return /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/.test(json) ?
        `\u2068${json.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}\u2069` :
        json;
  if (Array.isArray(json)) {
    if (typeof json[0] === "number") return json;
    return json.map(isolated);
  }
  if (json === null || typeof json !== "object") return json;
  for (const key of Object.keys(json)) json[key] = isolated(json[key]);
  return json;
}

// Text goes in as text: nothing that a result holds is ever read as markup.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class")
      node.className = value;
    else if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else
      node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) node.append(child);
  }
  return node;
}

function report(where, error) {
  errors.push(`${where}: ${error && error.message ? error.message : error}`);
  document.body.dataset.errors = errors.length;
  document.body.dataset.firstError = errors[0];
}
addEventListener("error", (event) => report("page", event.error || event.message));
addEventListener("unhandledrejection", (event) => report("page", event.reason));

// The value below `path` ("l1.classes.cold"), or null.
function at(json, path) {
  let value = json;
  for (const key of path.split(".")) {
    if (value === null || value === undefined) return null;
    value = value[key];
  }
  return value === undefined ? null : value;
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const list = (value) => (Array.isArray(value) ? value : []);
const sum = (values) =>
    list(values).reduce((total, value) => total + (isNumber(value) ? value : 0), 0);
// Of arrays that are too long for Math.max(...values).
function largest(values) {
  let most = -Infinity;
  for (const value of values)
    if (value > most) most = value;
  return most;
}

// Numbers as people read them; "-" for what is undefined.
const whole = (value) => (isNumber(value) ? d3.format(",.0f")(value) : "-");
const percent = (value, digits = 1) =>
    (isNumber(value) ? `${(100 * value).toFixed(digits)} %` : "-");
// "+2.0 %", "-2.0 %", "0.0 %": what rounds to nothing has no sign.
const signedPercent = (value) => {
  const text = percent(Math.abs(value));
  return text === percent(0) ? text : `${value > 0 ? "+" : "-"}${text}`;
};
const fixed = (value, digits = 2) => (isNumber(value) ? d3.format(`,.${digits}f`)(value) : "-");
// "1.53 ±0.02": both rounded to the deviation's first digit.
function withDeviation(value, deviation) {
  const digits = Math.max(0, -Math.floor(Math.log10(Number(deviation.toPrecision(1)))));
  return `${value.toFixed(digits)} ±${deviation.toFixed(digits)}`;
}
const short = (value) =>
    (isNumber(value) ? d3.format(Math.abs(value) < 1000 ? ".4~r" : ".3~s")(value) : "-");
function cell(value) {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!isNumber(value)) return String(value);
  return Number.isInteger(value) ? whole(value) : d3.format(",.4~r")(value);
}
const plural = (count, noun, several = `${noun}s`) =>
    `${whole(count)} ${count === 1 ? noun : several}`;
// "a, b and c"
function words(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}
// "1.41 kB"
const bytesText = (bytes) =>
    (isNumber(bytes) ? d3.format(".3~s")(bytes).replace(/[^0-9]?$/, (unit) => ` ${unit}B`) : "-");
// How much less or more: "19.5 % fewer".
function change(from, to, less = "fewer", more = "more") {
  if (!isNumber(from) || !isNumber(to) || from === 0) return "-";
  const share = to / from - 1;
  return Math.abs(share) < 0.0005 ? "as many" :
                                    `${percent(Math.abs(share))} ${share < 0 ? less : more}`;
}
