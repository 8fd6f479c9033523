-- Words that people edit: never states, whose meaning is code.
create table dict_type (
  id bigint generated always as identity primary key,
  name varchar(100) not null constraint dict_type_name_key unique,
  type varchar(100) not null constraint dict_type_type_key unique check (type ~ '^[A-Za-z][A-Za-z0-9_]*$'),
  enabled boolean not null default true,
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create table dict_data (
  id bigint generated always as identity primary key,
  dict_type varchar(100) not null constraint dict_data_type_fkey references dict_type (type),
  label varchar(100) not null,
  value varchar(100) not null,
  sort integer not null default 0 check (sort >= 0 and sort <= 100000),
  enabled boolean not null default true,
  color_type varchar(20) check (color_type in ('default', 'primary', 'success', 'info', 'warning', 'danger')),
  css_class varchar(100),
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint dict_data_value_key unique (dict_type, value)
);

-- Settings that people change while the server runs; what the process needs to start is in its environment.
create table config (
  id bigint generated always as identity primary key,
  category varchar(50) not null,
  name varchar(100) not null,
  key varchar(100) not null constraint config_key_key unique,
  value varchar(500) not null,
  value_type varchar(10) not null default 'STRING' check (value_type in ('STRING', 'INT', 'BOOLEAN', 'JSON')),
  built_in boolean not null default false,
  visible boolean not null default true,
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);

-- Who looks into logs asks for people or departments within a time.
create index login_log_dept on login_log (dept_id, at);
create index audit_log_dept on audit_log (dept_id, at);
create index audit_log_subject on audit_log (subject, subject_id);

-- Committed audit rows are chained by a sealer (DESIGN 7). An id can commit late, so none is found by counting up: each
-- row queues itself with its own transaction, and leaves the queue with its seal.
create table seal (
  seq bigint primary key,
  kind varchar(20) not null,
  at timestamptz not null,
  row_ids jsonb not null,
  root bytea not null,
  prev_hash bytea not null,
  hash bytea not null
);
create index seal_rows on seal using gin (row_ids jsonb_path_ops);
create table audit_unsealed (
  id bigint primary key references audit_log (id)
);
insert into audit_unsealed select id from audit_log;
create function queue_for_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.id);
  return null;
end $$;
create trigger audit_log_queue after insert on audit_log for each row execute function queue_for_seal();

-- Notices to staff. Who receives one is asked when he looks, so that a newcomer to a department finds it too; a
-- receipt says that he read it.
create table notice (
  id bigint generated always as identity primary key,
  dept_id bigint not null constraint notice_dept_fkey references dept (id),
  title varchar(50) not null,
  type varchar(100) not null,
  level varchar(1) not null default 'L' check (level in ('L', 'M', 'H')),
  content text not null check (length(content) <= 65535),
  target varchar(10) not null check (target in ('ALL', 'DEPT', 'USER')),
  state varchar(10) not null default 'DRAFT' check (state in ('DRAFT', 'PUBLISHED', 'REVOKED')),
  publisher_id bigint,
  publisher_name varchar(30),
  published_at timestamptz,
  revoked_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create index notice_published on notice (published_at desc, id desc) where state = 'PUBLISHED';
create table notice_dept (
  notice_id bigint not null references notice (id) on delete cascade,
  dept_id bigint not null references dept (id) on delete cascade,
  primary key (notice_id, dept_id)
);
create index notice_dept_dept on notice_dept (dept_id);
create table notice_user (
  notice_id bigint not null references notice (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  primary key (notice_id, user_id)
);
create index notice_user_user on notice_user (user_id);
create table notice_receipt (
  notice_id bigint not null references notice (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  read_at timestamptz not null default now(),
  primary key (notice_id, user_id)
);
create index notice_receipt_user on notice_receipt (user_id);
