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
