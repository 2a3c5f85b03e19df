// A chart: a canvas that its draw function fills, with a hint under the pointer, and saved as SVG
// or PNG.
const kPrintWidth = 690;  // on paper, A4 or letter, between the margins: words keep their size
const charts = [];
const tip = element("div", {class: "tip", hidden: true, role: "tooltip"});

class Chart {
  // draw(painter) at `height`, or height(width), CSS pixels. hover(x, y, painter): text or null.
  constructor(panel, height, draw, {hover} = {}) {
    Object.assign(this, {panel, height, draw, hover});
    this.canvas = element("canvas", {role: "img"});
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => {
      tip.hidden = true;
    });
    charts.push(this);
  }
  size() {
    const width = printing ? kPrintWidth : Math.max(280, this.panel.width());
    return [width, typeof this.height === "function" ? this.height(width) : this.height];
  }
  paint(ratio = Math.min(devicePixelRatio || 1, 2), canvas = this.canvas) {
    const [width, height] = this.size();
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    if (canvas === this.canvas) canvas.style.aspectRatio = `${width} / ${height}`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const painter = new CanvasPainter(context, width, height);
    painter.ratio = ratio;
    this.draw(painter);
    return painter;
  }
  redraw() {
    this.painter = this.paint();
    this.panel.count();
  }
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.painter.width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    let text = this.hover ? this.hover(x, y, this.painter) : null;
    for (const [left, top, width, height, words] of this.painter.hits) {
      if (x >= left && x <= left + width && y >= top && y <= top + height) text = words;
    }
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const right = event.clientX > innerWidth - 240;
    tip.style.left = `${event.pageX + (right ? -12 : 14)}px`;
    tip.style.transform = right ? "translateX(-100%)" : "none";
    tip.style.top = `${event.pageY + 14}px`;
  }
  // The share of pixels that are not background.
  painted() {
    const {width, height} = this.canvas;
    const pixels =
        new Uint32Array(this.canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
    const background = packed(theme().page);
    let painted = 0;
    for (const pixel of pixels)
      if (pixel !== background) ++painted;
    return painted / Math.max(1, pixels.length);
  }
  svgElement() {
    const painter = new SvgPainter(...this.size());
    this.draw(painter);
    return painter.root;
  }
  svg() {
    return new XMLSerializer().serializeToString(this.svgElement());
  }
}

function save(name, blob) {
  const link = element("a", {download: name, href: URL.createObjectURL(blob)});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
function savePng(name, chart) {
  const canvas = element("canvas");
  chart.paint(2, canvas);
  canvas.toBlob((blob) => save(name, blob));
}
