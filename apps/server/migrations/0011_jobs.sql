-- Work for later, as people see it; what hands it to a worker is the queue in a schema of its own (queue-schema.ts).
create table job (
  id bigint generated always as identity primary key,
  name varchar(60) not null,
  -- Nobody: the system's own.
  user_id bigint references users (id) on delete cascade,
  state varchar(10) not null default 'QUEUED'
    check (state in ('QUEUED', 'RUNNING', 'READY', 'DONE', 'FAILED', 'CANCELLED')),
  data jsonb not null default '{}',
  -- Counts the tries: a worker that was taken for dead writes nothing any more.
  run integer not null default 0,
  done integer not null default 0,
  total integer,
  counts jsonb not null default '{}',
  error jsonb,
  file_id bigint,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index job_user on job (user_id, id);
create index job_ended on job (ended_at) where ended_at is not null;

-- The lines of a sheet between its check and its end.
create table import_row (
  job_id bigint not null references job (id) on delete cascade,
  line integer not null,
  cells jsonb not null,
  verdict varchar(10) not null check (verdict in ('CREATE', 'UPDATE', 'SAME', 'BAD')),
  reasons jsonb not null default '[]',
  -- What is to be written, of which the cells are the words.
  draft jsonb,
  user_id bigint references users (id) on delete set null,
  done boolean not null default false,
  primary key (job_id, line)
);
create index import_row_bad on import_row (job_id, line) where verdict = 'BAD';
create index import_row_user on import_row (user_id);

-- With one of these an imported user chooses his first password. Only SHA-256 is kept.
create table activation_code (
  user_id bigint primary key references users (id) on delete cascade,
  code_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
