"""Rows of docs/reproduced.md: what of an experiment's file the papers have, and what of its result is ours."""
import math
import os
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXPERIMENTS = os.path.join(ROOT, "experiments")
HEADINGS = {"none": "", "ratio": " ratio", "speedup": " speed-up"}  # of metrics, as `reproduce` prints them
NEAR = 0.05  # a simulated figure agrees where it is this near the paper's, relative to it
FLAT = 0.005  # of a baseline's: neither a gain nor a loss


def number(value, places=None):
    """As the page has it: integers whole, others to four digits, or to so many places."""
    if value is None or isinstance(value, str):
        return value or "undefined"
    if places is not None:
        return f"{value:.{places}f}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def with_deviation(value, deviation):
    """'1.06 ±0.02': as many digits as the deviation allows, where there is one."""
    if value is None or not deviation:
        return number(value)
    places = max(0, -math.floor(math.log10(deviation)))
    return f"{value:,.{places}f} ±{deviation:.{places}f}"


class Row:
    """A figure of a paper: `key` tells rows of an experiment apart; theirs may be None. `machines`: whose
    files it depends on. Of an `exact` one every digit of the paper's has to agree, or so many `places`. A
    `relative` one is of a baseline's: a gain does not agree with a loss, however near they are."""

    def __init__(self, figure, of, theirs=None, cause="", machines=(), exact=False, judged=True, places=None,
                 relative=False):
        self.key = (figure, of)
        self.theirs, self.cause, self.machines = theirs, cause, tuple(machines)
        self.exact, self.judged, self.places, self.relative = exact, judged, places, relative

    def theirs_text(self):
        return "-" if self.theirs is None else number(self.theirs, self.places)

    def verdict(self, ours):
        """"agrees", "differs", "unexplained", "plot only" or "not run"; "-" where there is none."""
        if ours is None:
            return "not run"
        if not self.judged:
            return "-"
        if self.theirs is None:
            return "plot only"
        return "agrees" if self.agrees(ours) else "differs" if self.cause else "unexplained"

    def agrees(self, ours):
        if isinstance(self.theirs, str):  # strides of a locality are not compared: NL for NL-Xstride
            return ours in (self.theirs, self.theirs.removesuffix("-Xstride").removesuffix("-Ystride"))
        if self.exact:
            return ours == number(self.theirs, self.places)
        try:
            value = float(ours.split()[0].replace(",", ""))
        except ValueError:
            return False
        low, high = sorted((value, self.theirs))
        if self.relative and low < 1 - FLAT and high > 1 + FLAT:
            return False
        return abs(value - self.theirs) <= NEAR * abs(self.theirs)


def machines_of(experiment):
    return experiment.get("machines", [experiment["machine"]] if "machine" in experiment else [])


def sets_of(experiment):
    if "sets_of" in experiment:
        with open(os.path.join(EXPERIMENTS, experiment["sets_of"] + ".toml"), "rb") as file:
            experiment = tomllib.load(file)
    return experiment["set"]


def grid_rows(experiment):
    """The published means; of a figure without, a row with the means of all variants over all workloads."""
    sets = [entry["name"] for entry in sets_of(experiment)]
    for table in experiment["table"]:
        if "figure" not in table:
            continue
        figure = f"{table['figure']}, `{table['name']}`: {table['title']}"
        for mean in table.get("published", []):
            for variant in [entry["name"] for entry in experiment["variant"]]:
                if variant in mean:
                    yield Row(figure, f"{mean['machine']}, {mean['set']}: {variant}", mean[variant],
                              mean.get("cause", ""), [mean["machine"]],
                              relative=table.get("relative") in ("ratio", "speedup"))
        if "published" in table:
            continue
        over = sets[0] if len(sets) == 1 else "all"
        for machine in experiment["machines"]:
            yield Row(figure, f"{machine}, {over}", machines=[machine])


def grid_ours(result):
    for table in result["tables"]:
        figure = f"{table['figure']}, `{table['table']}`: {table['title']}"
        for mean in table["means"]:
            of = f"{table['machine']}, {mean['set']}"
            deviations = mean.get("deviations") or {}
            ours = {variant: with_deviation(value, deviations.get(variant))
                    for variant, value in mean["ours"].items()}
            for variant, value in ours.items():
                yield (figure, f"{of}: {variant}"), value
            yield (figure, of), ", ".join(f"{variant} {value}" for variant, value in ours.items()
                                          if variant != table["baseline"])


PLACES = {"sp_score": 6}  # to which a counted figure has to agree
KERNEL_FIGURES = ("degree", "sectors_in_range", "sector_expectation", "sectors_per_request", "hit_rate",
                  "locality", "scheduler", "tbs", "references", "sp_score", "shared_tbs", "inter_tb")


def kernel_rows(experiment):
    for kernel in experiment["kernel"]:
        for name in KERNEL_FIGURES:
            if name in kernel:
                yield Row(f"{experiment['figure']}: {name}", kernel.get("label", kernel["kernel"]),
                          kernel[name], kernel.get("explained", ""), machines_of(experiment), exact=True,
                          places=PLACES.get(name))


def kernel_ours(experiment, result):
    for row in result["rows"]:
        for name in KERNEL_FIGURES:
            if name in row and row.get("theirs"):
                ours = row[name]
                if isinstance(ours, float) and name not in PLACES:  # the paper's digits; it rounds halves up
                    ours = round(ours + 1e-9, 4 if name in ("degree", "hit_rate") else 2)
                yield (f"{experiment['figure']}: {name}", row["label"]), number(ours, PLACES.get(name))


def case_rows(experiment):
    """Experiments of single cases: the mean differences by machine."""
    machines = {os.path.basename(case["machine"]).removesuffix(".toml"): case["machine"]
                for case in experiment["case"]}
    for metric in experiment["metric"]:
        heading = metric["key"] + HEADINGS[metric.get("relative", "none")]
        for machine in sorted(machines):
            yield Row(f"mean difference, without sign: {heading}", machine, machines=[machines[machine]],
                      judged=False)
        yield Row(f"mean difference, without sign: {heading}", "all", machines=sorted(machines.values()),
                  judged=False)


def case_ours(result):
    for mean in result["means"]:
        for name, value in mean["mean_absolute_difference"].items():
            yield (f"mean difference, without sign: {name}", mean["machine"]), f"{value:.1%}"


def study_rows(experiment):
    """A study whose paper has no numbers: its command prints it."""
    yield Row(experiment["figure"], experiment["description"], machines=machines_of(experiment))


def rows_of(experiment):
    if "variant" in experiment:
        return list(grid_rows(experiment))
    if "case" in experiment:
        return list(case_rows(experiment))
    return list(kernel_rows(experiment) if "kernel" in experiment else study_rows(experiment))


def ours_of(experiment, result):
    """By key, of what `flagstone reproduce --json` wrote."""
    if "variant" in experiment:
        return dict(grid_ours(result))
    if "case" in experiment:
        return dict(case_ours(result))
    if "kernel" in experiment:
        return dict(kernel_ours(experiment, result))
    return {row.key: "the command prints it" for row in study_rows(experiment)}
