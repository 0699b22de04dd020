-- SPDX-License-Identifier: MIT
-- Events that happened and are not in the run.
SELECT coalesce(sum(amount), 0) FROM ledger WHERE what = 'events' AND state = 'dropped'
