// One of {fmt}'s templates, which clang spells in another way than the g++ that built libfmt: with
// it here, what clang compiles needs {fmt}'s code nowhere else.
#include <fmt/format.h>

template void fmt::detail::vformat_to<char>(buffer<char>& buffer, string_view format,
                                            basic_format_args<buffer_context<char>> arguments,
                                            locale_ref locale);
