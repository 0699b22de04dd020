-- SPDX-License-Identifier: MIT
-- One row a fact, however many hosts and processes tell it.
SELECT what, state, reason, sum(coalesce(amount, 0)) FROM ledger GROUP BY what, state, reason ORDER BY min(id)
