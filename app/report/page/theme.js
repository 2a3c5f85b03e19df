// Colours: light and dark, of classes (Okabe and Ito's eight, which people with any colour vision
// tell apart) and of quantities (viridis).
const kClasses =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c"];
let printing = false;

function isDark() {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function theme() {
  return isDark() ? {
    ink: "#e7eaee",
    muted: "#a3adb8",
    line: "#39414a",
    page: "#1b2026",
    none: "#4a535c",
    empty: "#0d1013",
    accent: "#6db3f2"
  } :
                    {
                      ink: "#1c2024",
                      muted: "#5c6670",
                      line: "#d9dee3",
                      page: "#ffffff",
                      none: "#eef1f4",
                      empty: "#eef1f4",
                      accent: "#0b62a8"
                    };
}

// Classes repeat lighter and darker after the eighth, but none like the ground that they are on.
function classColour(index) {
  const base = d3.hsl(kClasses[index % kClasses.length]);
  const round = Math.floor(index / kClasses.length);
  if (round > 0)
    base.l = Math.min(
        isDark() ? 0.86 : 0.8,
        Math.max(isDark() ? 0.26 : 0.2, base.l + [0, 0.16, -0.14, 0.26, -0.22][round % 5]));
  return base.toString();
}
// Of a share from 0 to 1.
const quantityColour = (share) => d3.interpolateViridis(Math.min(1, Math.max(0, share)));

// Black or white, whichever is easier to read on a colour: both have the same contrast with a
// lightness of 50.
const inkOn = (fill) => (d3.lab(fill).l < 50 ? "#fff" : "#000");

// As canvas pixels have them: little-endian RGBA.
function packed(colour) {
  const rgb = d3.rgb(colour);
  return (255 << 24 | rgb.b << 16 | rgb.g << 8 | rgb.r) >>> 0;
}
