// The data of a plan's pieces, as atoms. Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_TOUCH_ATOMS_H_
#define FLAGSTONE_APP_ORDER_TOUCH_ATOMS_H_

#include "app/order/touch_pieces.h"
#include "app/order/touch_plan.h"

namespace flagstone::order {

// Fills the plan's scale, its atoms and which of them each step of a piece touches; groups and
// steps are there already.
void FindAtoms(const TouchPieces& pieces, const TouchRequest& request, TouchPlan* plan);

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_TOUCH_ATOMS_H_
