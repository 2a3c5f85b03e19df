// Looks at a page as its reader does: goes through its tabs, light and dark, and lists what cannot
// be read. It stands in the page before the page's own script, as it watches what canvases write.
(() => {
  "use strict";
  const kContrast = 4.5;  // of WCAG 2.1, AA
  const kApart = 1.5;     // pixels that a word of a chart keeps free on each side

  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  // Of "rgb(1, 2, 3)" and "#abcdef" as a context gives them back: red, green, blue and alpha.
  function colourOf(text) {
    if (text.startsWith("#"))
      return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)).concat(1);
    const parts = text.match(/[\d.]+/g).map(Number);
    return parts.length === 3 ? parts.concat(1) : parts;
  }

  // Corners of two texts, in order: apart where a side of one has all of the other behind it.
  function overlap(a, b, slack = 1) {
    for (const shape of [a, b]) {
      for (let i = 0; i < 4; ++i) {
        const [x0, y0] = shape[i], [x1, y1] = shape[(i + 1) % 4];
        const length = Math.hypot(x1 - x0, y1 - y0) || 1;
        const across = ([x, y]) => (x * (y1 - y0) - y * (x1 - x0)) / length;
        const ofA = a.map(across), ofB = b.map(across);
        if (Math.max(...ofA) < Math.min(...ofB) + slack ||
            Math.max(...ofB) < Math.min(...ofA) + slack)
          return false;
      }
    }
    return true;
  }

  // What each canvas says, since it was last emptied.
  const written = new Map();
  const proto = CanvasRenderingContext2D.prototype;
  const fillText = proto.fillText;
  proto.fillText = function(text, x, y, ...more) {
    fillText.call(this, text, x, y, ...more);
    const canvas = this.canvas, at = this.getTransform(), size = this.measureText(text);
    const left = x - size.actualBoundingBoxLeft - kApart,
          right = x + size.actualBoundingBoxRight + kApart;
    const top = y - size.actualBoundingBoxAscent, bottom = y + size.actualBoundingBoxDescent;
    const corners = [[left, top], [right, top], [right, bottom], [left, bottom]].map(
        ([a, b]) => [at.a * a + at.c * b + at.e, at.b * a + at.d * b + at.f]);
    const ink = colourOf(this.fillStyle).slice(0, 3);
    if (!written.has(canvas)) written.set(canvas, []);
    written.get(canvas).push({text: text.slice(0, 60), corners, ink, turned: at.b !== 0});
  };
  const width = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width");
  Object.defineProperty(HTMLCanvasElement.prototype, "width", {
    ...width,
    set(value) {
      written.delete(this);
      width.set.call(this, value);
    }
  });

  // Words and figures that no writer would have put so: of a text of a page or of a chart.
  const kWrongWords = [
    [/\bundefined\b|\bNaN\b|\bInfinity\b|\[object/, "is no word for a reader"],
    [
      /(?<![\d.,x] ?)\b1 (?!of )(?:TBs|SMs|orders|groups|launches|loads|buffers|runs|cases|blocks)\b/,
      "says several of one"
    ],
    [/-\d[\d.,]* % (?:less|more|fewer)/, "is less of less"],
    [/(?:^|[:;,] )- (?:of|in|and|%)|(?:and|to|of) -[.;]/, "has a gap for a figure"],
  ];

  // Words that are short enough for a line and stand in two. A hyphen or slash in a word may end a
  // line, those before an option's name may not.
  function brokenWords(node) {
    const broken = [], range = document.createRange();
    for (const {0: word, index} of node.data.matchAll(/(?:(?<!\S)-{1,2})?[^\s\-/]+/g)) {
      if (word.length > 24) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map(({top}) => Math.round(top));
      if (new Set(tops).size > 1) broken.push(word);
    }
    return broken;
  }

  const viewOf = (node) => {
    const section = node.closest("section");
    return section ? section.dataset.view || section.className : node.className || node.tagName;
  };

  const far = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);

  // The least contrast of a text with the colours that fill a fifth of its box; 1 where nothing in
  // it
  // is nearer to its ink than to its ground.
  function leastContrast({corners, ink}, picture, width, height) {
    const [left, top] = corners[0].map((at) => Math.max(0, Math.floor(at)));
    const right = Math.min(width, Math.ceil(corners[2][0])),
          bottom = Math.min(height, Math.ceil(corners[2][1]));
    const counts = new Map();
    for (let y = top; y < bottom; ++y)
      for (let x = left; x < right; ++x)
        counts.set(picture[y * width + x], (counts.get(picture[y * width + x]) || 0) + 1);
    const colours = [...counts]
                        .map(
                            ([word, count]) => [
                                [word & 255, (word >> 8) & 255, (word >> 16) & 255],
                                count / ((right - left) * (bottom - top))])
                        .sort((a, b) => b[1] - a[1]);
    const grounds = colours.filter(([colour]) => far(colour, ink) >= 30);
    const nearest = Math.min(...colours.map(([colour]) => far(colour, ink)));
    if (grounds.length === 0 || nearest > 0.6 * far(grounds[0][0], ink)) return 1;
    return Math.min(...grounds.filter(([, share], i) => i === 0 || share >= 0.2)
                        .map(([colour]) => contrast(ink, colour)));
  }

  function canvasFaults(canvas, say) {
    const texts = (written.get(canvas) || []).filter(({text}) => text.trim() !== "");
    const {width, height} = canvas;
    const drawn = width / Math.min(devicePixelRatio || 1, 2),
          seen = canvas.getBoundingClientRect().width;
    if (Math.abs(drawn - seen) > 1) say(`is drawn ${drawn} wide and shown ${seen} wide, blurred`);
    const picture =
        new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
    texts.forEach((entry, i) => {
      const {text, corners} = entry;
      if (/undefined|NaN|null|Infinity|\[object/.test(text))
        say(`'${text}' is no word for a reader`);
      for (const [wrong, words] of kWrongWords)
        if (wrong.test(text)) say(`'${text}' ${words}`);
      const outside = corners.some(([x, y]) => x < -3 || y < -1 || x > width + 3 || y > height + 1);
      if (outside) say(`'${text}' leaves its chart`);
      const least = entry.turned ? 21 : leastContrast(entry, picture, width, height);
      if (least < kContrast) say(`'${text}' has a contrast of ${least.toFixed(1)} with its ground`);
      for (const other of texts.slice(i + 1))
        if (overlap(corners, other.corners)) say(`'${text}' and '${other.text}' overlap`);
    });
  }

  const shown = (node) => node.checkVisibility({visibilityProperty: true});

  // The colour behind an element.
  function groundOf(node) {
    for (let at = node; at; at = at.parentElement) {
      const colour = colourOf(getComputedStyle(at).backgroundColor);
      if (colour[3] === 1) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  }

  const kRows = 20;  // of a table: the others are like them

  // Texts of elements that are seen, each with its parent.
  function* textsOf(root) {
    const walker = document.createTreeWalker(
        root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
        (node) =>
            (node.nodeType === Node.ELEMENT_NODE &&
                     (node.tagName === "OPTION" || node.rowIndex > kRows || !shown(node)) ?
                 NodeFilter.FILTER_REJECT :
                 NodeFilter.FILTER_ACCEPT));
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.nodeType === Node.TEXT_NODE && node.data.trim() !== "")
        yield [node, node.data.trim(), node.parentElement];
  }

  function leavesWindow(box, parent, root, edge) {
    if (box.right <= edge + 1 && box.left >= -1) return false;
    for (let at = parent; at && at !== root; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return false;
    return true;
  }

  function elementFaults(root, say) {
    const edge = document.documentElement.clientWidth, wide = document.documentElement.scrollWidth;
    if (wide > edge) say("page", `is ${wide} wide in a window of ${edge}`);
    const boxes = [], range = document.createRange();
    for (const [node, text, parent] of textsOf(root)) {
      const quoted = `'${text.slice(0, 60)}'`, style = getComputedStyle(parent);
      const fault = (words) => say(viewOf(parent), `${quoted} ${words}`);
      for (const [wrong, words] of kWrongWords)
        if (wrong.test(text)) fault(words);
      for (const word of brokenWords(node)) fault(`has '${word}' in two lines`);
      const ratio = contrast(colourOf(style.color).slice(0, 3), groundOf(parent));
      if (ratio < kContrast) fault(`has a contrast of ${ratio.toFixed(1)}`);
      if (style.textOverflow === "ellipsis" && parent.scrollWidth > parent.clientWidth + 1 &&
          !parent.title)
        fault("is cut, and no hint has the rest");
      if (parent.closest(".scroll")) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (leavesWindow(box, parent, root, edge)) fault("leaves the window");
        boxes.push([box, quoted, parent]);
      }
    }
    boxes.forEach(([a, text, parent], i) => {
      for (const [b, other] of boxes.slice(i + 1)) {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 &&
            b.top < a.bottom - 4)
          say(viewOf(parent), `${text} and ${other} overlap`);
      }
    });
  }

  // {tabs, texts, faults}: each fault with the theme and the view.
  async function audit() {
    const faults = [], root = document.getElementById("page");
    const tabs = [...root.querySelectorAll('[role="tab"]')];
    const rest = () => new Promise((done) => setTimeout(done, 20));
    let texts = 0;
    for (const node of root.querySelectorAll("details")) node.open = true;
    for (const theme of ["light", "dark"]) {
      const now = () => document.documentElement.dataset.theme ||
          (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
      if (now() !== theme) root.querySelector(".top button").click();
      for (const tab of tabs.length > 0 ? tabs : [null]) {
        if (tab) tab.click();
        await rest();
        const say = (view, words) =>
            faults.push(`${theme}${tab ? `, ${tab.textContent}` : ""}, ${view}: ${words}`);
        elementFaults(root, say);
        for (const canvas of root.querySelectorAll("canvas")) {
          if (!shown(canvas)) continue;
          texts += (written.get(canvas) || []).length;
          canvasFaults(canvas, (words) => say(viewOf(canvas), words));
        }
      }
    }
    return {tabs: tabs.length, texts, faults: [...new Set(faults)]};
  }

  async function whenReady() {
    while (!document.body || document.body.dataset.ready !== "1") {
      await new Promise((done) => setTimeout(done, 20));
      if (document.body && document.body.dataset.errors > 0) break;
    }
    return audit();
  }
  window.pageAudit = whenReady;
  if (window.parent !== window)
    whenReady().then((found) => window.parent.postMessage({page: window.name, ...found}, "*"));
})();
