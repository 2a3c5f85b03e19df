// A chart is drawn by one function on a painter: on a canvas for the screen and for PNG, or as SVG.
// Painters share their methods; `marks` counts the records that were drawn, where they are drawn.

// A text in the place of a number would draw nothing, in silence.
function checkText(x, y, text) {
  if (!isNumber(x) || !isNumber(y) || typeof text !== "string")
    throw new Error(`text(${x}, ${y}, ${text}): expected x, y and the text`);
}

const fontOf = (size, weight) => `${weight} ${size}px system-ui, sans-serif`;

// How wide a text is, in pixels, by the font that charts write with.
const widthOf = (() => {
  let context = null;
  return (text, size, weight = "normal") => {
    context = context || document.createElement("canvas").getContext("2d");
    context.font = fontOf(size, weight);
    return context.measureText(text).width;
  };
})();

// From `x` to the edges of a chart; a text that is turned has no such limit.
function roomOf(x, width, anchor, turn) {
  if (turn !== 0) return Infinity;
  return anchor === "end" ? x : anchor === "start" ? width - x : 2 * Math.min(x, width - x);
}

// As much of a text as the chart, or `room` pixels, hold, with an ellipsis for the rest.
function fitted(text, x, width, {anchor, size, weight, turn, room}) {
  const most = Math.min(room === null ? Infinity : room, roomOf(x, width, anchor, turn) + 2);
  const whole = widthOf(text, size, weight);
  if (whole <= most) return text;
  let letters = Math.max(1, Math.floor((text.length * most) / whole));
  while (letters > 1 && widthOf(shortened(text, letters), size, weight) > most) --letters;
  return shortened(text, letters);
}

class CanvasPainter {
  constructor(context, width, height) {
    Object.assign(this, {context, width, height, marks: 0, hits: [], theme: theme()});
    context.fillStyle = this.theme.page;
    context.fillRect(0, 0, width, height);
  }
  rect(x, y, width, height, fill, stroke) {
    const c = this.context;
    c.fillStyle = fill;
    c.fillRect(x, y, width, height);
    if (stroke) {
      c.strokeStyle = stroke;
      c.lineWidth = 1;
      c.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    }
  }
  // `boxes`: x, y, width, height, one after another. All in one path: many elements are slow.
  boxes(boxes, fill) {
    const c = this.context;
    c.beginPath();
    for (let i = 0; i < boxes.length; i += 4)
      c.rect(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]);
    c.fillStyle = fill;
    c.fill();
  }
  line(points, stroke, width = 1, dash = []) {
    const c = this.context;
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    c.setLineDash(dash);
    c.strokeStyle = stroke;
    c.lineWidth = width;
    c.stroke();
    c.setLineDash([]);
  }
  area(points, fill) {
    const c = this.context;
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    c.closePath();
    c.fillStyle = fill;
    c.fill();
  }
  circle(x, y, radius, fill) {
    const c = this.context;
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    c.fillStyle = fill;
    c.fill();
  }
  text(x, y, text, {
    anchor = "start",
    fill = this.theme.ink,
    size = 12,
    weight = "normal",
    turn = 0,
    room = null
  } = {}) {
    checkText(x, y, text);
    const c = this.context;
    c.save();
    c.translate(x, y);
    c.rotate((turn * Math.PI) / 180);
    c.font = fontOf(size, weight);
    c.textAlign = anchor === "middle" ? "center" : anchor;
    c.textBaseline = "middle";
    c.fillStyle = fill;
    c.direction = "ltr";
    c.fillText(fitted(text, x, this.width, {anchor, size, weight, turn, room}), 0, 0);
    c.restore();
  }
  // `pixels`: packed(), `columns` x `rows` of them, drawn without smoothing.
  image(x, y, width, height, pixels, columns, rows) {
    const c = this.context;
    c.imageSmoothingEnabled = false;
    c.drawImage(pixelCanvas(pixels, columns, rows), x, y, width, height);
  }
  hit(x, y, width, height, text) {
    this.hits.push([x, y, width, height, text]);
  }
}

function pixelCanvas(pixels, columns, rows) {
  const canvas = element("canvas", {width: columns, height: rows});
  const data =
      new ImageData(new Uint8ClampedArray(pixels.buffer, 0, 4 * columns * rows), columns, rows);
  canvas.getContext("2d").putImageData(data, 0, 0);
  return canvas;
}

class SvgPainter {
  constructor(width, height) {
    Object.assign(this, {width, height, marks: 0, hits: [], theme: theme()});
    this.root = this.node(
        "svg", {viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "sans-serif"});
    this.add("rect", {width, height, fill: this.theme.page});
  }
  node(tag, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) {
      node.setAttribute(name, isNumber(value) ? +value.toFixed(2) : value);
    }
    return node;
  }
  add(tag, attributes) {
    return this.root.appendChild(this.node(tag, attributes));
  }
  rect(x, y, width, height, fill, stroke = "none") {
    this.add("rect", {x, y, width: Math.max(0, width), height: Math.max(0, height), fill, stroke});
  }
  boxes(boxes, fill) {
    let path = "";
    for (let i = 0; i < boxes.length; i += 4) {
      path += `M${boxes[i].toFixed(2)} ${boxes[i + 1].toFixed(2)}h${boxes[i + 2].toFixed(2)}` +
          `v${boxes[i + 3].toFixed(2)}h${(-boxes[i + 2]).toFixed(2)}z`;
    }
    this.add("path", {d: path, fill});
  }
  line(points, stroke, width = 1, dash = []) {
    this.add("polyline", {
      points: this.points(points),
      fill: "none",
      stroke,
      "stroke-width": width,
      "stroke-dasharray": dash.join(" ") || "none"
    });
  }
  area(points, fill) {
    this.add("polygon", {points: this.points(points), fill});
  }
  points(points) {
    return points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
  }
  circle(cx, cy, r, fill) {
    this.add("circle", {cx, cy, r, fill});
  }
  text(x, y, text, {
    anchor = "start",
    fill = this.theme.ink,
    size = 12,
    weight = "normal",
    turn = 0,
    room = null
  } = {}) {
    checkText(x, y, text);
    this.add("text", {
          x,
          y,
          "text-anchor": anchor,
          fill,
          "font-size": size,
          "font-weight": weight,
          "dominant-baseline": "central",
          transform: `rotate(${turn} ${x.toFixed(2)} ${y.toFixed(2)})`
        })
        .textContent = fitted(text, x, this.width, {anchor, size, weight, turn, room});
  }
  image(x, y, width, height, pixels, columns, rows) {
    const href = pixelCanvas(pixels, columns, rows).toDataURL("image/png");
    this.add("image", {
      x,
      y,
      width,
      height,
      href,
      preserveAspectRatio: "none",
      style: "image-rendering: pixelated"
    });
  }
  hit() {}
}
