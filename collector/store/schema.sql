-- SPDX-License-Identifier: MIT
-- The schema of run.db, version 1. Few things are plain rows, readable by any SQLite; many things (events, counter
-- samples) are chunks, readable through the virtual table `event` and its views. All times are integer ns since
-- meta.t_zero (Unix ns) unless a column says otherwise. `describe` holds a sentence for every table, view and column.

CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
-- t_zero, t_min, t_max, events, finalized (0/1), schema, tool, created

CREATE TABLE describe (object TEXT, column TEXT, sentence TEXT, PRIMARY KEY (object, column)) STRICT, WITHOUT ROWID;

CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
-- every text that events refer to: files, phases, sources; id 0 is "(name lost)"

CREATE TABLE host (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, boot_id TEXT NOT NULL,
    raw_to_run_ns INTEGER NOT NULL,       -- add to CLOCK_MONOTONIC_RAW of this host to get run time
    UNIQUE (name, boot_id)) STRICT;

CREATE TABLE process (
    id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL REFERENCES host,
    pid INTEGER NOT NULL, parent_pid INTEGER NOT NULL, process_start INTEGER NOT NULL,  -- clock ticks since boot
    spool TEXT NOT NULL UNIQUE,           -- base name of its spool: identity of one program image
    program TEXT NOT NULL, command TEXT NOT NULL, directory TEXT NOT NULL,
    rank INTEGER, local_rank INTEGER, world_size INTEGER, rank_source TEXT,  -- NULL: none known; mpi, env:PMI_RANK, ...
    begin_ns INTEGER NOT NULL, end_ns INTEGER, ended TEXT NOT NULL,  -- ended: see describe
    events INTEGER NOT NULL DEFAULT 0,
    code_opens INTEGER NOT NULL DEFAULT 0, code_reads INTEGER NOT NULL DEFAULT 0,
    code_bytes INTEGER NOT NULL DEFAULT 0, code_ns INTEGER NOT NULL DEFAULT 0,
    own_cpu_ns INTEGER NOT NULL DEFAULT 0, own_bytes INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE environment (process_id INTEGER REFERENCES process, key TEXT, value TEXT, PRIMARY KEY (process_id, key)) STRICT, WITHOUT ROWID;

CREATE TABLE clock_anchor (process_id INTEGER REFERENCES process, ticks INTEGER, raw_ns INTEGER, realtime_ns INTEGER, error_ns INTEGER) STRICT;

CREATE TABLE communicator (
    process_id INTEGER REFERENCES process, comm INTEGER, rank INTEGER, size INTEGER, name TEXT,
    PRIMARY KEY (process_id, comm)) STRICT, WITHOUT ROWID;

CREATE TABLE track (
    id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL REFERENCES host, process_id INTEGER REFERENCES process,
    thread INTEGER, lane TEXT NOT NULL,   -- io, comm, mark, gpu, counter, api
    counter TEXT, source_id INTEGER REFERENCES name,  -- of a counter's track
    begin_ns INTEGER, end_ns INTEGER, events INTEGER NOT NULL DEFAULT 0,
    tile_base INTEGER, tile_levels INTEGER, max_overlap INTEGER,
    UNIQUE (host_id, process_id, thread, lane, counter, source_id)) STRICT;

-- What the numbers of a counter mean: value * scale is in unit. Filled from counters.def.
CREATE TABLE counter_kind (
    counter TEXT PRIMARY KEY, family TEXT NOT NULL, unit TEXT NOT NULL, scale INTEGER NOT NULL, shape TEXT NOT NULL,
    bits INTEGER NOT NULL, sentence TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The mass. Header and payload apart: a scan of headers must not touch a page of payload.
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY, track_id INTEGER NOT NULL REFERENCES track, begin_ns INTEGER NOT NULL,
    last_begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL,      -- the first begin, the last begin, the latest end
    events INTEGER NOT NULL, kinds INTEGER NOT NULL,              -- kinds: a bit per kind number
    codec INTEGER NOT NULL) STRICT;
CREATE INDEX chunk_by_track ON chunk (track_id, begin_ns, end_ns);
CREATE TABLE chunk_payload (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE tile (track_id INTEGER, level INTEGER, position INTEGER, data BLOB NOT NULL, PRIMARY KEY (track_id, level, position)) STRICT;

-- Sums that any SQLite can read without us. total_ns adds durations; bytes adds what the kind's bytes column holds (failures add 0).
CREATE TABLE name_stat (
    track_id INTEGER REFERENCES track, kind TEXT, name_id INTEGER, calls INTEGER, failed INTEGER, bytes INTEGER,
    total_ns INTEGER, shortest_ns INTEGER, longest_ns INTEGER, histogram BLOB,  -- calls by log2 of ns: see histogram.h
    PRIMARY KEY (track_id, kind, name_id)) STRICT, WITHOUT ROWID;

CREATE TABLE output_line (id INTEGER PRIMARY KEY, at_ns INTEGER, stream TEXT, text TEXT) STRICT;  -- what the job printed

-- Written by the analyzer when the run is complete, so that plain SQL has the answers too.
CREATE TABLE epoch (
    number INTEGER PRIMARY KEY, begin_ns INTEGER, end_ns INTEGER, found_by TEXT, samples INTEGER, fetched_bytes INTEGER, fetched_source TEXT) STRICT;
CREATE TABLE epoch_rank (
    number INTEGER, rank INTEGER, begin_ns INTEGER, end_ns INTEGER, samples INTEGER,
    read_calls INTEGER, read_bytes INTEGER, read_ns INTEGER, evaluation_calls INTEGER, evaluation_bytes INTEGER, evaluation_ns INTEGER,
    compute_ns INTEGER, exposed_comm_ns INTEGER, exposed_copy_ns INTEGER, input_stall_ns INTEGER, idle_ns INTEGER,
    comm_ns INTEGER, comm_calls INTEGER, comm_bytes INTEGER, fetched_bytes INTEGER, fetched_source TEXT,
    PRIMARY KEY (number, rank)) STRICT, WITHOUT ROWID;
CREATE TABLE log_value (name TEXT PRIMARY KEY, value REAL, text TEXT NOT NULL) STRICT, WITHOUT ROWID;  -- what the job's output says of the whole run
CREATE TABLE log_rate (
    position INTEGER PRIMARY KEY, epoch INTEGER, step INTEGER, at_ns INTEGER, whose TEXT NOT NULL,
    samples_per_second REAL, step_seconds REAL, data_wait_seconds REAL) STRICT;
CREATE TABLE evaluation (epoch INTEGER PRIMARY KEY, at_ns INTEGER, accuracy REAL NOT NULL, begin_ns INTEGER, end_ns INTEGER) STRICT;
CREATE TABLE reads_elsewhere (
    rank INTEGER, place TEXT, read_calls INTEGER, read_bytes INTEGER, read_ns INTEGER, PRIMARY KEY (rank, place)) STRICT, WITHOUT ROWID;
CREATE TABLE finding (position INTEGER PRIMARY KEY, diagnosis TEXT, title TEXT, amount_ns INTEGER, share REAL, gain REAL, gain_error REAL, text TEXT, advice TEXT) STRICT;

-- What was measured, absent, zero, dropped or degraded, and why.
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY, host_id INTEGER, process_id INTEGER, what TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, amount INTEGER,
    UNIQUE (host_id, process_id, what, state, reason)) STRICT;

-- How far each ring of each spool has been taken in: what makes ingest incremental and safe to repeat.
CREATE TABLE ingest_progress (spool TEXT, ring INTEGER, next_sequence INTEGER NOT NULL, file_offset INTEGER NOT NULL, PRIMARY KEY (spool, ring)) STRICT, WITHOUT ROWID;

-- Plain views: one SELECT answers.
CREATE VIEW rank_communication AS
    SELECT p.rank AS rank, s.kind AS kind, sum(s.calls) AS calls, sum(s.bytes) AS bytes, sum(s.total_ns) AS total_ns
    FROM name_stat s JOIN track t ON t.id = s.track_id JOIN process p ON p.id = t.process_id
    WHERE t.lane = 'comm' GROUP BY p.rank, s.kind;
CREATE VIEW file_traffic AS
    SELECT n.text AS file, p.rank AS rank, s.kind AS kind, sum(s.calls) AS calls, sum(s.bytes) AS bytes, sum(s.total_ns) AS total_ns
    FROM name_stat s JOIN track t ON t.id = s.track_id JOIN process p ON p.id = t.process_id JOIN name n ON n.id = s.name_id
    WHERE t.lane = 'io' GROUP BY n.text, p.rank, s.kind;
CREATE VIEW epoch_bytes AS
    SELECT number, sum(read_calls) AS read_calls, sum(read_bytes) AS read_bytes, sum(evaluation_bytes) AS evaluation_bytes,
        (SELECT e.fetched_bytes FROM epoch e WHERE e.number = r.number) AS fetched_bytes  -- the job's, not the ranks': see epoch
    FROM epoch_rank r GROUP BY number;
