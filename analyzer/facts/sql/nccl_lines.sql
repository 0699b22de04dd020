-- SPDX-License-Identifier: MIT
-- What NCCL printed, and second halves of torn lines.
SELECT text FROM output_line WHERE text LIKE '%NCCL %' OR text LIKE '%via NET/%' OR text LIKE '/GDRDMA%' ORDER BY id
