-- SPDX-License-Identifier: MIT
-- What was read from each data file, from the sums that ingest keeps: no event is decoded.
SELECT n.text, sum(s.bytes) FROM name_stat s JOIN name n ON n.id = s.name_id
WHERE s.kind IN ('file_read', 'file_copy', 'file_submit', 'file_map') GROUP BY n.id ORDER BY sum(s.bytes) DESC
