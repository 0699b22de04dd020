-- SPDX-License-Identifier: MIT
-- What the job printed, in the order in which it was printed; -1: nobody knows when.
SELECT coalesce(at_ns, -1), text FROM output_line ORDER BY id
