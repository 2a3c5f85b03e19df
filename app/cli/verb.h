// The command line: verbs, each with its options bound to variables. CLI11 stands behind this, as a
// file that includes it takes ten seconds to compile.
#ifndef FLAGSTONE_APP_CLI_VERB_H_
#define FLAGSTONE_APP_CLI_VERB_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace flagstone {

// What a command line gives to a verb. Options go by their long names, "--seed", arguments by
// theirs.
class Given {
 public:
  explicit Given(const CLI::App* verb) : verb_(verb) {}

  std::string Verb() const;
  // Whether it was given, if only with its default value; false for what the verb does not have.
  bool Has(const std::string& option) const;
  // As typed; empty where it was not given.
  std::vector<std::string> Values(const std::string& option) const;
  std::string Value(const std::string& option) const;  // the first one

 private:
  const CLI::App* verb_;
};

// The files that an option's values stand for.
using FilesOfValues =
    std::function<std::vector<std::string>(const std::vector<std::string>& values)>;

// The options of a verb that name files, and those that may be given again.
struct CheckedOptions {
  struct Read {
    CLI::Option* option;
    FilesOfValues files;
    std::string updated_by;
    bool by_name = false;  // its values name the files
  };
  std::vector<CLI::Option*> outputs, lists;
  std::vector<Read> inputs;
};

// More about an option that was just added.
class Option {
 public:
  Option(CLI::Option* option, CheckedOptions* checked) : option_(option), checked_(checked) {}

  Option& Required();
  // It may be given again; each adds one value. Two values of NAME=VALUE have different names.
  Option& Repeatable();
  // It may be given again, with the same value too: each adds one.
  Option& InOrder();
  Option& Different();                        // no two of its values are the same
  Option& Type(const std::string& name);      // its value in the help: "FILE"
  Option& ShowDefault();                      // the variable's value now, in the help
  Option& Default(const std::string& value);  // the same, for an option without a variable
  // Of a number; without a range a whole number may have any value that its variable holds.
  Option& Range(uint64_t low, uint64_t high);
  Option& Range(double low, double high);
  Option& FileName();  // it may not be empty; "-" is stdout, or stdin
  // A file that the verb writes (also as NAME=FILE), or reads. No file may be written by two
  // options of a command, or be read and written, and one at most may be stdout.
  Option& Output();
  Option& Input();
  // The verb reads the files that its values stand for, which only the option `updated_by` may
  // write. Asked for where the command line writes to a file that is there.
  Option& Reads(FilesOfValues files, const std::string& updated_by = "");
  // `check` gives what is wrong with a value, or nothing.
  Option& Check(std::function<std::string(const std::string& value)> check);

 private:
  CLI::Option* option_;
  CheckedOptions* checked_;
};

// One verb. A name without dashes makes an argument that goes by its place.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  Option Add(const std::string& name, std::string* value, const std::string& help);
  Option Add(const std::string& name, uint32_t* value, const std::string& help);
  Option Add(const std::string& name, uint64_t* value, const std::string& help);
  Option Add(const std::string& name, double* value, const std::string& help);
  Option Add(const std::string& name, std::vector<std::string>* values, const std::string& help);
  Option AddFlag(const std::string& name, bool* value, const std::string& help);
  // `take` gets the value as it was typed.
  Option AddTaken(const std::string& name, std::function<void(const std::string& value)> take,
                  const std::string& help);
  // The value may be left out, or be "-": `take` then gets an empty text.
  Option AddOptional(const std::string& name, std::function<void(const std::string& value)> take,
                     const std::string& help);
  // Arguments and options that nobody added are no error.
  void TakeAnything();
  void Footer(const std::string& text);
  // What the verb does once its options are known; gives the command's exit code.
  void Do(std::function<int()> work);

 private:
  friend class CommandLineParser;
  CLI::App* app_;
  std::shared_ptr<CheckedOptions> checked_ = std::make_shared<CheckedOptions>();
  std::shared_ptr<int> exit_code_;
};

// All verbs of the command.
class CommandLineParser {
 public:
  CommandLineParser(const std::string& name, const std::string& description,
                    const std::string& footer);
  ~CommandLineParser();

  Verb* AddVerb(const std::string& name, const std::string& summary);
  // `text` is what --version prints.
  void AddVersion(std::function<std::string()> text);
  // Does the verb of this command line and gives its exit code. Throws kBadInput for bad usage.
  int Run(int argc, char** argv);

 private:
  void RejectUnknownVerb(const std::vector<std::string>& arguments) const;

  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Verb>> verbs_;
  std::shared_ptr<int> exit_code_ = std::make_shared<int>(0);
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_VERB_H_
