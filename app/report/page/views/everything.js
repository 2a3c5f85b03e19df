// All figures of a result, to look up and to plot elsewhere.
const kTooLong = 64;  // arrays beyond this are in other views

// [path, value] of all that is a figure or a word.
function leaves(json, path, out) {
  if (Array.isArray(json)) {
    if (json.length > kTooLong)
      out.push([path, `${json.length} values`]);
    else
      json.forEach((value, i) => leaves(value, `${path}[${i}]`, out));
  } else if (json !== null && typeof json === "object") {
    for (const [key, value] of Object.entries(json))
      leaves(value, path ? `${path}.${key}` : key, out);
  } else {
    out.push([path, json]);
  }
  return out;
}

view({
  id: "everything",
  long: true,
  schemas: [
    "flagstone.run/1", "flagstone.analyze/1", "flagstone.synth/1", "flagstone.compare/1",
    "flagstone.reproduce/1", "flagstone.fpga/1"
  ],
  question: "What else is known?",
  build(panel, result) {
    const rows = [];
    if (result.schema === "flagstone.run/1") {
      leaves(result.totals, "", rows);
      for (const key of ["seed", "values", "lockstep_cycles", "host"])
        leaves(result[key], key, rows);
    } else {
      const {runs, ...rest} = result;
      leaves(rest, "", rows);
      list(runs).forEach((run, i) => run && leaves(run.totals, `runs[${i}].totals`, rows));
    }
    const counted = result.schema === "flagstone.run/1" || list(result.runs).length > 0;
    panel.answer(
        plural(rows.length, "figure") +
        (counted ? "; 'flagstone list statistics' says what each counts." : "."));
    panel.table(
        [{name: "name", left: true}, {name: "value"}], rows,
        {filter: true, summary: "All figures"});
  },
});
