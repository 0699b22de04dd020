-- SPDX-License-Identifier: MIT
-- Calls that took bytes of a data file, by track and file, from the sums that ingest keeps: no event is decoded.
SELECT s.track_id, s.name_id, n.text, s.calls, s.bytes, s.total_ns, s.longest_ns, s.histogram
FROM name_stat s JOIN name n ON n.id = s.name_id
WHERE s.kind IN ('file_read', 'file_copy', 'file_submit') ORDER BY n.text
