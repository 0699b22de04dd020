-- SPDX-License-Identifier: MIT
-- Lines that may be MLPerf log lines (:::MLLOG, :::MLL, :::MLPv0.5.0), in the order in which they were printed.
SELECT coalesce(at_ns, -1), text FROM output_line WHERE text LIKE '%:::ML%' ORDER BY id
