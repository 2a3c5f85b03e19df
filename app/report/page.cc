#include "app/report/page.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "app/report/packing.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/paths.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlain = R"(<script type="application/json" id="flagstone-data">)";
constexpr std::string_view kPacked = R"(<script type="application/gzip" id="flagstone-data">)";
constexpr std::string_view kEnd = "</script>";

// The page's data, as the program's own: it misses where the installation is damaged.
std::string ReadPart(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    ThrowInternal("a report's part '{}' is missing: install Flagstone again", path.string());
  }
  return ReadFile(path);
}

// Within an element, its own end tag must not stand, nor what would let a parser skip one.
std::string Inline(std::string text, const fs::path& path) {
  for (const std::string_view word : {"</script", "</style", "<!--"}) {
    if (text.find(word) != std::string::npos) {
      ThrowInternal("'{}' holds '{}', which cannot stand inside a page", path.string(), word);
    }
  }
  return text;
}

std::string D3() {
  const fs::path system = "/usr/share/nodejs/d3/dist/d3.min.js";
  std::error_code ignored;
  for (const fs::path& path : {DataFolder() / "app/report/d3.min.js", system}) {
    if (fs::is_regular_file(path, ignored)) return Inline(ReadFile(path), path);
  }
  ThrowInternal("a report needs D3: install the package 'node-d3'");
}

struct Parts {
  std::string style;
  std::string script;
};

// One function around all parts: nothing of them is seen outside it.
Parts ReadParts() {
  const fs::path folder = DataFolder() / "app/report/page";
  Parts parts;
  parts.script = "(() => {\n\"use strict\";\n";
  std::istringstream names(ReadPart(folder / "parts"));
  for (std::string name; std::getline(names, name);) {
    if (name.empty() || name.starts_with("#")) continue;
    const fs::path path = folder / name;
    const std::string text = Inline(ReadPart(path), path);
    (path.extension() == ".css" ? parts.style : parts.script) += text;
  }
  parts.script += "})();\n";
  return parts;
}

std::string Title(const std::vector<NamedResult>& results) {
  const std::string first = results.empty() ? "nothing" : TitleOf(results.front().json);
  if (results.size() < 2) return first;
  return fmt::format("{} and {} more", first, results.size() - 1);
}

}  // namespace

std::string MakePage(const std::vector<NamedResult>& results) {
  const Parts parts = ReadParts();
  const std::string json =
      PageData(results).dump(-1, ' ', false, ResultJson::error_handler_t::replace);
  const bool packed = json.size() > kMostPlainBytes;
  // Only scripts with this word run. Who writes a kernel's name cannot know it: it depends on the
  // name.
  Fnv1a128 hash;
  hash.Add(json);
  const std::string nonce = fmt::format("{:016x}{:016x}", hash.High(), hash.Low());
  const std::string title = EscapeHtml(Title(results));
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}: Flagstone</title>\n<style>\n",
      nonce, title);
  page += parts.style;
  page += fmt::format(
      "</style>\n</head>\n<body data-ready=\"0\" data-errors=\"0\">\n"
      "<noscript>This page draws its charts with the script that it holds: let it run.</noscript>\n"
      "<main id=\"page\" aria-busy=\"true\"><h1>{}</h1></main>\n",
      title);
  page += packed ? kPacked : kPlain;
  page += packed ? Pack(json) : EscapeJson(json);
  page += fmt::format("{}\n<script nonce=\"{}\">\n", kEnd, nonce);
  page += D3();
  page += fmt::format("\n{}\n<script nonce=\"{}\">\n", kEnd, nonce);
  page += parts.script;
  page += kEnd;
  return page + "\n</body>\n</html>\n";
}

ResultJson DataOfPage(const std::string& file, std::string_view page) {
  for (const std::string_view start : {kPlain, kPacked}) {
    const size_t found = page.find(start);
    if (found == std::string_view::npos) continue;
    const size_t begin = found + start.size();
    const size_t end = page.find(kEnd, begin);
    if (end == std::string_view::npos) break;
    const std::string_view text = page.substr(begin, end - begin);
    const std::optional<std::string> json =
        start == kPacked ? Unpack(text) : std::optional<std::string>(text);
    if (!json || !ResultJson::accept(*json)) break;
    return ResultJson::parse(*json);
  }
  ThrowBadInput("'{}' is no report of flagstone, or only a part of one: it holds no data", file);
}

}  // namespace flagstone
