// A view's place on the page: its question, its answer in a sentence, charts, a table, and files to
// save. `data-marks` says how many records it shows.
const kMostRows = 1000;  // of a table on the page; its CSV has all

class Panel {
  constructor(definition, tab) {
    Object.assign(this, {definition, tab, charts: [], tables: 0, extra: 0, csv: null});
    const id = `${tab.id}-${definition.id}`;
    this.title = element("h2", {id}, definition.question);
    this.saves = element("span", {class: "save"});
    this.body = element("div");
    this.root = element(
        "section", {
          class: `view${definition.half ? " half" : ""}${definition.long ? " long" : ""}`,
          "data-view": definition.id,
          "data-marks": 0,
          "aria-labelledby": id,
          "data-result": tab.name
        },
        element("div", {class: "question"}, this.title, this.saves), this.body);
    this.file = `${definition.id}`;
  }
  width() {
    return this.body.clientWidth || this.tab.width(this.definition.half);
  }
  answer(text) {
    this.sentence = this.sentence ? `${this.sentence} ${text}` : text;
    const answer = element("p", {class: "answer"}, text);
    this.body.append(answer);
    return answer;
  }
  note(text) {
    const note = element("p", {class: "note"}, text);
    this.body.append(note);
    return note;
  }
  // What a result lacks: the page lists these views at its end.
  missing(how) {
    this.lacks = how;
  }
  add(...nodes) {
    this.body.append(...nodes);
  }
  controls(...nodes) {
    this.body.append(element("div", {class: "controls"}, nodes));
  }
  // `first`: the value that is shown until another is chosen; none: that of the first option.
  choice(label, options, chosen, first) {
    const select = element(
        "select", {onchange: () => chosen(select.value)},
        options.map(
            ([value, text]) => element("option", {value, selected: value === first}, text)));
    return element("label", {}, label, select);
  }
  chart(height, draw, options) {
    const chart = new Chart(this, height, draw, options);
    this.charts.push(chart);
    this.body.append(chart.canvas);
    return chart;
  }
  // columns: {name, left, format}; rows: arrays of values.
  table(columns, rows, {open = false, summary = "The figures as a table", filter = false} = {}) {
    const table = makeTable(columns, rows, filter);
    this.csv = () => csvText(columns, rows);
    this.tables += rows.length;
    const box = element(
        "div", {
          class: "scroll",
          tabindex: 0,
          role: "region",
          "aria-label": `Table: ${this.definition.question}`
        },
        table.node);
    if (open) {
      this.body.append(table.filter || "", box);
    } else {
      this.body.append(
          element("details", {}, element("summary", {}, summary), table.filter || "", box));
    }
    if (rows.length > kMostRows)
      this.note(
          `The table shows ${whole(kMostRows)} of ${whole(rows.length)} rows; the CSV has all.`);
    return table;
  }
  count() {
    const drawn =
        this.charts.reduce((marks, chart) => marks + (chart.painter ? chart.painter.marks : 0), 0);
    this.root.dataset.marks =
        this.charts.length > 0 ? drawn + this.extra : this.tables + this.extra;
    this.root.dataset.rows = this.tables;
  }
  finish() {
    for (const chart of this.charts) {
      chart.canvas.setAttribute("aria-label", `${this.definition.question} ${this.sentence || ""}`);
    }
    const button = (name, title, work) =>
        element("button", {type: "button", title, onclick: work}, name);
    this.charts.forEach((chart, i) => {
      const name = `${this.file}${i ? `-${i + 1}` : ""}`;
      const one = this.charts.length > 1 ? ` ${i + 1}` : "";
      this.saves.append(
          button(
              `SVG${one}`, `Save chart${one} as SVG`,
              () => save(`${name}.svg`, new Blob([chart.svg()], {type: "image/svg+xml"}))),
          button(`PNG${one}`, `Save chart${one} as PNG`, () => savePng(`${name}.png`, chart)));
    });
    if (this.csv)
      this.saves.append(button(
          "CSV", "Save the figures as CSV",
          () => save(`${this.file}.csv`, new Blob([this.csv()], {type: "text/csv"}))));
    for (const chart of this.charts) chart.redraw();
    this.count();
  }
}

const csvCell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
};
function csvText(columns, rows) {
  return [columns.map((column) => column.name), ...rows]
             .map((row) => row.map(csvCell).join(","))
             .join("\n") +
      "\n";
}

// A table that sorts by a column where its head is pressed, and shows the rows that hold a text.
function makeTable(columns, rows, filtered) {
  let shown = rows, sorted = null;
  const body = element("tbody");
  const fill = () => {
    body.replaceChildren(
        ...shown.slice(0, kMostRows)
            .map(
                (row) => element(
                    "tr", {},
                    row.map(
                        (value, i) => element(
                            "td", {
                              class: [columns[i].left && "left", columns[i].wrap && "wrap"]
                                         .filter(Boolean)
                                         .join(" ") ||
                                  null,
                              title: typeof value === "string" && value.length > 48 ? value : null
                            },
                            value instanceof Node ? value : (columns[i].format || cell)(value))))));
  };
  const sort = (i) => {
    const down = sorted === i ? -1 : 1;
    sorted = down === 1 ? i : null;
    shown = [...shown].sort((a, b) => {
      if (a[i] === null || b[i] === null) return (a[i] === null) - (b[i] === null);
      return down * (typeof a[i] === "string" ? a[i].localeCompare(b[i]) : a[i] - b[i]);
    });
    fill();
  };
  const head = element(
      "tr", {},
      columns.map(
          (column, i) => element(
              "th", {class: column.left ? "left" : null, scope: "col"},
              element(
                  "button", {type: "button", title: "Sort by this column", onclick: () => sort(i)},
                  column.name))));
  const node = element("table", {}, element("thead", {}, head), body);
  fill();
  let filter = null;
  if (filtered) {
    const input = element("input", {
      type: "search",
      placeholder: "l1.miss",
      oninput: () => {
        shown = rows.filter(
            (row) => row.some(
                (value) => String(value).toLowerCase().includes(input.value.toLowerCase())));
        sorted = null;
        fill();
      }
    });
    filter = element("div", {class: "controls"}, element("label", {}, "Show rows with", input));
  }
  return {node, filter};
}
