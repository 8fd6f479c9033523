-- What the code generator knows of a table of the database, and how its slice of the product shall look.
create table codegen_table (
  id bigint generated always as identity primary key,
  table_name varchar(63) not null constraint codegen_table_name_key unique,
  comment varchar(1000),
  title varchar(20) not null,
  title_en varchar(40) not null,
  area varchar(10) not null
    check (area in ('system', 'school', 'device', 'duty', 'alarm', 'police', 'supervise', 'insight')),
  entity varchar(24) not null,
  sight varchar(10) not null check (sight in ('OPEN', 'DEPT', 'SCHOOL')),
  menu_under varchar(10) not null check (menu_under in ('TOP', 'SYSTEM')),
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create table codegen_column (
  id bigint generated always as identity primary key,
  table_id bigint not null constraint codegen_column_table_fkey references codegen_table (id) on delete cascade,
  column_name varchar(63) not null,
  data_type varchar(100) not null,
  kind varchar(10) not null check (kind in ('TEXT', 'INT', 'BIGINT', 'FLOAT', 'BOOL', 'DAY', 'INSTANT')),
  length integer,
  nullable boolean not null,
  preset varchar(200),
  single boolean not null,
  refers varchar(63),
  words text[] not null,
  comment varchar(1000),
  title varchar(20) not null,
  title_en varchar(40) not null,
  in_list boolean not null,
  in_form boolean not null,
  in_query boolean not null,
  required boolean not null,
  query_type varchar(10) not null
    check (query_type in ('EQ', 'NE', 'GT', 'GE', 'LT', 'LE', 'LIKE', 'LIKE_LEFT', 'LIKE_RIGHT', 'IN', 'BETWEEN')),
  form_type varchar(10) not null
    check (form_type in ('INPUT', 'TEXTAREA', 'NUMBER', 'SWITCH', 'SELECT', 'RADIO', 'DATE', 'DATETIME', 'SCHOOL')),
  dict_type varchar(60),
  sort integer not null,
  constraint codegen_column_name_key unique (table_id, column_name)
);
