// Memory in pages of 2 MB, for what a simulation goes through in each cycle.
#ifndef FLAGSTONE_BASE_HUGE_PAGES_H_
#define FLAGSTONE_BASE_HUGE_PAGES_H_

namespace flagstone {

// From now on what is allocated comes from pages of 2 MB where the kernel has them (Linux with
// transparent huge pages on `madvise` or `always`): up to a fixed amount, none of which is used
// before it is needed. To be called before other threads start.
void PreferHugePages();

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_HUGE_PAGES_H_
