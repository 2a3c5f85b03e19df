// Axes, legends and bars, drawn with a painter.

// Where `width` of words behind a bar begin, so that they do not run into the line at `mark`.
const behindBar = (end, mark, width) => (end < mark && end + width > mark ? mark : end) + 5;

// As many ticks as have room for their words; `counts`: between whole numbers there is nothing.
function ticksBelow(scale, format, ticks, counts) {
  for (let most = ticks;; --most) {
    const all = scale.ticks(most).filter((tick) => !counts || Number.isInteger(tick));
    const room = all.every(
        (tick, i) => i === 0 ||
            scale(tick) - scale(all[i - 1]) >
                3.5 * (format(tick).length + format(all[i - 1]).length) + 6);
    if (room || most <= 1) return all;
  }
}

// Below the plot, whose lower edge is `y`.
function axisBelow(p, scale, y, {label = "", format = short, ticks = 8, counts = false} = {}) {
  const [left, right] = scale.range();
  p.line([[left, y], [right, y]], p.theme.line);
  for (const tick of ticksBelow(scale, format, ticks, counts)) {
    const x = scale(tick);
    p.line([[x, y], [x, y + 4]], p.theme.muted);
    p.text(x, y + 12, format(tick), {anchor: "middle", fill: p.theme.muted, size: 11});
  }
  if (label) p.text(right, y + 27, label, {anchor: "end", fill: p.theme.muted, size: 11});
}

// At the left of the plot, with lines across it to `right`.
function axisLeft(p, scale, x, right, {label = "", format = short, ticks = 5} = {}) {
  for (const tick of scale.ticks(ticks)) {
    const y = scale(tick);
    p.line([[x, y], [right, y]], p.theme.line);
    p.text(x - 6, y, format(tick), {anchor: "end", fill: p.theme.muted, size: 11});
  }
  if (label) p.text(x, Math.min(...scale.range()) - 10, label, {fill: p.theme.muted, size: 11});
}

// Histograms are over powers of two: where a bucket begins.
const bucketFrom = (index) => (index === 0 ? 0 : 2 ** index);
const bucketName = (index) => short(bucketFrom(index));

// Bars that lie, one above another. rows: {label, parts: [{value, colour, text}], mark}; `most` is
// the scale's end; `total` is written behind each bar, and behind a line at `mark`.
function lyingBars(
    p, rows, {left = 150, top = 4, barHeight = 18, gap = 6, most, total, right = 70, mark}) {
  const x = d3.scaleLinear([0, most || 1], [left, p.width - right]);
  rows.forEach((row, i) => {
    const y = top + i * (barHeight + gap);
    p.text(left - 8, y + barHeight / 2, row.label, {anchor: "end", room: left - 10});
    let from = 0;
    for (const part of row.parts) {
      if (!isNumber(part.value) || part.value <= 0) {
        if (isNumber(part.value)) p.marks += 1;
        continue;
      }
      const width = x(from + part.value) - x(from);
      p.rect(x(from), y, Math.max(width, 0.75), barHeight, part.colour);
      if (part.hatch) hatch(p, x(from), y, width, barHeight);
      if (part.inside && width > 7 * part.inside.length + 4) {
        p.text(
            x(from) + width / 2, y + barHeight / 2, part.inside,
            {anchor: "middle", size: 11, fill: inkOn(part.colour)});
      }
      p.hit(x(from), y, Math.max(width, 3), barHeight, part.text || row.label);
      p.marks += 1;
      from += part.value;
    }
    if (!total) return;
    const words = total(row);
    const start = isNumber(mark) ? behindBar(x(from), x(mark), 7 * words.length) : x(from) + 5;
    p.text(start + 1, y + barHeight / 2, words, {fill: p.theme.muted, size: 11});
  });
  return x;
}
const lyingHeight = (count, {top = 4, barHeight = 18, gap = 6} = {}) =>
    top + count * (barHeight + gap);

// Slanted lines over a bar: what a colour says, a pattern says too.
function hatch(p, x, y, width, height) {
  for (let at = 4; at < width + height; at += 6) {
    const x1 = Math.min(at, width), x2 = Math.max(at - height, 0);
    p.line([[x + x1, y + (at - x1)], [x + x2, y + (at - x2)]], "rgba(255,255,255,0.75)", 1.5);
  }
}

// The scale of a quantity as a strip, at the right of the line above a plot.
function colourStrip(p, right, y, low, high, colour) {
  const width = 120;
  for (let i = 0; i < width; i += 2) p.rect(right - width + i, y, 2, 8, colour(i / width));
  p.text(right - width - 6, y + 4, low, {anchor: "end", fill: p.theme.muted, size: 11});
  p.text(right, y + 16, high, {anchor: "end", fill: p.theme.muted, size: 11});
}

const kMostOfPoint = 28;  // letters of a name beside a point

// Names beside points, each where no other one stands already; the others are in the hints.
function labelPoints(p, points, {size = 10} = {}) {
  // A name keeps clear of all points, its own one included, and of the names before it.
  const taken = points.map(({x, y}) => [x - 6, y - 6, 12, 12]);
  let without = 0;
  for (const {x, y, name: whole} of points) {
    const name = shortened(whole, kMostOfPoint);
    const width = widthOf(name, size), right = x + 8 + width < p.width;
    const box = [right ? x + 8 : x - 8 - width, y - size / 2, width, size];
    const free = taken.every(
        ([left, top, w, h]) =>
            box[0] > left + w || box[0] + width < left || box[1] > top + h || box[1] + size < top);
    if (!free) {
      ++without;
      continue;
    }
    taken.push(box);
    p.text(
        right ? x + 8 : x - 8, y, name,
        {size, fill: p.theme.muted, anchor: right ? "start" : "end"});
  }
  return without;
}

const kMostOfKey = 60;  // letters of a name beside its colour
function legend(items) {
  return element(
      "div", {class: "legend"},
      items.map(
          ([name, colour]) => element(
              "span", {title: name.length > kMostOfKey ? name : null},
              element("i", {style: `background:${colour}`}), shortened(name, kMostOfKey))));
}
