// Reads the data, makes a tab of views for each result, and says in the page when it is done:
// data-ready is 1, data-errors the number of errors.
const kFirstTab = "t0";

async function readData() {
  const holder = document.getElementById("flagstone-data");
  if (holder.type === "application/json") return JSON.parse(holder.textContent);
  const bytes = Uint8Array.from(atob(holder.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Results side by side: what one page of several results opens with.
function comparisonOf(results) {
  const runs = results.filter((entry) => entry.result.schema === "flagstone.run/1")
                   .map((entry) => entry.result);
  return runs.length > 1 ? {schema: "flagstone.compare/1", runs, of_page: true} : null;
}

function nameOf(entry) {
  const result = entry.result;
  if (entry.name) return entry.name;
  return [result.workload || result.experiment, result.policy].filter(Boolean).join(" ") ||
      result.schema.replace(/^flagstone\.(.*)\/.*$/, "$1");
}

class Tab {
  constructor(id, name, result, page) {
    Object.assign(this, {id, name, result, page, panels: [], shared: {}});
    this.root = element(
        "div", {id: `${id}-panel`, role: "tabpanel", "aria-labelledby": `${id}-tab`, tabindex: -1});
    this.grid = element("div", {class: "views"});
  }
  width(half) {
    const main = document.getElementById("page").clientWidth - 40 - 30;
    return half && main > 760 ? (main - 44) / 2 : main;
  }
  build() {
    this.root.append(this.grid);
    const missing = [];
    for (const definition of views) {
      if (!definition.schemas.includes(this.result.schema)) continue;
      const panel = new Panel(definition, this);
      try {
        definition.build(panel, this.result);
        if (panel.skip) continue;
        if (panel.lacks) {
          missing.push([definition, panel.lacks]);
          continue;
        }
        this.grid.append(panel.root);
        this.panels.push(panel);
      } catch (error) {
        report(definition.id, error);
      }
    }
    if (missing.length > 0) {
      this.root.append(element(
          "section", {class: "missing", "data-missing": missing.map(([view]) => view.id).join(" ")},
          element("h3", {}, "Not in this result"),
          element("ul", {}, missing.map(([view,
                                          how]) => element("li", {}, `${view.question} ${how}`)))));
    }
  }
  // Charts that were drawn while the tab was hidden may have had another width.
  shown() {
    for (const chart of this.panels.flatMap((panel) => panel.charts)) {
      if (chart.painter && chart.painter.width !== chart.size()[0]) chart.redraw();
    }
    for (const box of this.root.querySelectorAll(".scroll")) {
      const first = box.querySelector("tr.hot");
      if (first && box.scrollTop === 0) box.scrollTop = Math.max(0, first.offsetTop - 60);
    }
  }
  finish() {
    for (const panel of this.panels) {
      try {
        panel.finish();
      } catch (error) {
        report(panel.definition.id, error);
      }
    }
  }
}

// A row of tabs, by the pattern of the ARIA practices: arrows move, one is in the tab order.
function tabBar(tabs) {
  const bar = element("div", {role: "tablist", "aria-label": "Results"});
  const buttons = tabs.map(
      (tab, i) => element(
          "button", {
            type: "button",
            role: "tab",
            id: `${tab.id}-tab`,
            "aria-controls": `${tab.id}-panel`,
            title: tab.name,
            onclick: () => show(i),
            onkeydown: (event) => {
              const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
              if (!step) return;
              show((i + step + tabs.length) % tabs.length);
              buttons[(i + step + tabs.length) % tabs.length].focus();
            }
          },
          tab.name));
  const show = (chosen) => tabs.forEach((tab, i) => {
    tab.root.hidden = i !== chosen;
    buttons[i].setAttribute("aria-selected", i === chosen);
    buttons[i].tabIndex = i === chosen ? 0 : -1;
    if (i === chosen) tab.shown();
  });
  bar.append(...buttons);
  return [bar, show];
}

function redrawAll() {
  for (const chart of charts) chart.redraw();
}

function themeButton() {
  const root = document.documentElement;
  return element(
      "button", {
        type: "button",
        title: "Light or dark",
        onclick: () => {
          root.dataset.theme = isDark() ? "light" : "dark";
          redrawAll();
        }
      },
      "Light / dark");
}

function follow() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  addEventListener("beforeprint", () => {
    printing = true;
    redrawAll();
  });
  addEventListener("afterprint", () => {
    printing = false;
    redrawAll();
  });
  // A change of height alone, as for a picture of the whole page, changes no chart.
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    redrawAll();
  });
}

// "#svg=gantt" at the end of the page's address: that chart alone, for scripts (tools/gallery).
function showAlone(tabs) {
  const wanted = /^#svg=(\w+)$/.exec(location.hash);
  if (!wanted) return;
  const panel = tabs.flatMap((tab) => tab.panels)
                    .find((each) => each.definition.id === wanted[1] && each.charts.length > 0);
  if (!panel) throw new Error(`no chart '${wanted[1]}'`);
  const picture = panel.charts[0].svgElement();
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  document.body.replaceChildren(picture);
}

async function main() {
  const page = document.getElementById("page");
  const data = await readData();
  const entries = list(isolated(data).results);
  const all = comparisonOf(entries);
  if (all) entries.unshift({name: "Comparison", result: all});
  page.replaceChildren(element(
      "div", {class: "top"}, element("h1", {}, document.title.replace(/: Flagstone$/, "")),
      themeButton()));
  const tabs = entries.map((entry, i) => new Tab(`t${i}`, nameOf(entry), entry.result, entries));
  const [bar, show] = tabBar(tabs);
  if (tabs.length > 1) page.append(bar);
  for (const tab of tabs) {
    // On paper, where there is no tab to press, all results follow each other.
    if (tabs.length > 1) tab.root.append(element("h2", {class: "on-paper"}, tab.name));
    page.append(tab.root);
    tab.build();
  }
  for (const tab of tabs) tab.finish();
  if (tabs.length > 0) show(0);
  document.body.append(tip);
  page.removeAttribute("aria-busy");
  for (const tab of tabs) {
    for (const panel of tab.panels) {
      const drawn = panel.charts.filter((chart) => chart.canvas.width > 0 && chart.painter);
      if (drawn.length > 0)
        panel.root.dataset.painted = Math.min(...drawn.map((chart) => chart.painted())).toFixed(4);
    }
  }
  follow();
  document.body.dataset.readyMs = Math.round(performance.now());
  document.body.dataset.ready = 1;
  showAlone(tabs);
}
main().catch((error) => report("page", error));
