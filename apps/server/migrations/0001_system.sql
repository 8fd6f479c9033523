-- Who works here, what they may do, and the machinery every area stands on.

create table dept (
  id bigint generated always as identity primary key,
  parent_id bigint references dept (id),
  kind varchar(20) not null check (kind in
    ('EDU_BUREAU', 'SCHOOL', 'POLICE_BUREAU', 'POLICE_STATION', 'COMMAND_CENTER', 'OPERATOR_CO', 'VENDOR')),
  name varchar(64) not null,
  code varchar(32) unique,
  region_code varchar(12),
  sort integer not null default 0,
  phone varchar(20),
  email varchar(50),
  enabled boolean not null default true,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint dept_name_key unique nulls not distinct (parent_id, name)
);
create index dept_parent on dept (parent_id);

create table users (
  id bigint generated always as identity primary key,
  username varchar(30) not null check (username ~ '^[A-Za-z0-9._-]{2,30}$'),
  nickname varchar(30) not null,
  password_hash text,
  type varchar(10) not null default 'STAFF' check (type in ('STAFF', 'SCHOOL')),
  dept_id bigint not null references dept (id),
  email varchar(50),
  mobile varchar(11),
  sex varchar(10) not null default 'UNKNOWN' check (sex in ('MALE', 'FEMALE', 'UNKNOWN')),
  avatar varchar(200),
  remark varchar(500),
  enabled boolean not null default true,
  must_change_password boolean not null default false,
  login_ip varchar(45),
  login_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));
create unique index users_mobile_key on users (mobile);
create index users_dept on users (dept_id);

create table role (
  id bigint generated always as identity primary key,
  code varchar(100) not null constraint role_code_key unique,
  name varchar(30) not null constraint role_name_key unique,
  sort integer not null default 0,
  built_in boolean not null default false,
  data_scope varchar(20) not null default 'DEPT'
    check (data_scope in ('ALL', 'CUSTOM', 'DEPT', 'DEPT_AND_CHILD', 'SELF')),
  remark varchar(500),
  enabled boolean not null default true,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create table role_dept (
  role_id bigint not null references role (id) on delete cascade,
  dept_id bigint not null references dept (id) on delete cascade,
  primary key (role_id, dept_id)
);

create table menu (
  id bigint generated always as identity primary key,
  parent_id bigint references menu (id),
  type varchar(10) not null check (type in ('DIR', 'MENU', 'BUTTON', 'LINK')),
  name varchar(50) not null,
  name_en varchar(50) not null,
  permission varchar(100),
  path varchar(200),
  component varchar(200),
  component_name varchar(100),
  redirect varchar(200),
  icon varchar(100),
  sort integer not null default 0,
  visible boolean not null default true,
  keep_alive boolean not null default true,
  always_show boolean not null default true,
  enabled boolean not null default true,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint menu_name_key unique nulls not distinct (parent_id, name)
);
create table role_menu (
  role_id bigint not null references role (id) on delete cascade,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (role_id, menu_id)
);
create table user_role (
  user_id bigint not null references users (id) on delete cascade,
  role_id bigint not null references role (id),
  primary key (user_id, role_id)
);
create index user_role_role on user_role (role_id);

-- One row is one signed-in browser, a refresh family; ended rows keep their reason, so that the answer is A0230.
create table session (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  ip varchar(45) not null,
  user_agent varchar(300) not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  locked_at timestamptz,
  ended_at timestamptz,
  end_reason varchar(20) check (end_reason in
    ('LOGOUT', 'KICKED', 'PASSWORD', 'DISABLED', 'REUSED', 'EXPIRED')),
  check ((ended_at is null) = (end_reason is null))
);
create index session_by_user on session (user_id) where ended_at is null;
create table access_token (
  hash bytea primary key,
  session_id bigint not null references session (id) on delete cascade,
  expires_at timestamptz not null
);
create index access_token_session on access_token (session_id);
create table refresh_token (
  hash bytea primary key,
  session_id bigint not null references session (id) on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  successor_hash bytea
);
create index refresh_token_session on refresh_token (session_id);

create table captcha_use (
  key_hash bytea primary key,
  expires_at timestamptz not null
);
-- Failed sign-ins: one row per account and network, per account over all networks, per known browser.
create table login_guard (
  key varchar(120) primary key,
  failures integer not null default 0,
  blocked_until timestamptz,
  last_at timestamptz not null default now()
);
create table login_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  type varchar(10) not null check (type in ('LOGIN', 'LOGOUT', 'REFRESH', 'KICK')),
  user_id bigint,
  dept_id bigint,
  username varchar(100) not null,
  result varchar(30) not null,
  ip varchar(45) not null,
  user_agent varchar(300) not null,
  trace_id varchar(64) not null
);
create index login_log_at on login_log (at, id);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id bigint,
  username varchar(100),
  dept_id bigint,
  session_id bigint,
  ip varchar(45),
  user_agent varchar(300),
  trace_id varchar(64),
  action varchar(100) not null,
  subject varchar(60),
  subject_id bigint,
  result integer not null,
  before jsonb,
  after jsonb,
  hash bytea not null
);
create index audit_log_at on audit_log (at, id);

-- What the seed has brought, once each: what people changed or deleted afterwards stays as they left it.
create table seeded (
  key varchar(120) primary key,
  row_id bigint not null,
  at timestamptz not null default now()
);

create table secret (
  name varchar(60) primary key,
  value bytea not null
);

-- What screens must hear. Numbered by one sequencer after the commit; see docs/decisions on events.
create table event (
  id bigint generated always as identity primary key,
  type varchar(40) not null,
  ref bigint,
  school_id bigint,
  dept_id bigint,
  user_id bigint,
  at timestamptz not null default now(),
  seq bigint constraint event_seq_key unique
);
create index event_unnumbered on event (id) where seq is null;
create index event_at on event (at);
create table event_head (
  one boolean primary key default true check (one),
  last_seq bigint not null default 0
);
insert into event_head default values;

-- Persisted timers: claimed by one conditional update, effects written with the fence, database clock only.
create table timer (
  kind varchar(30) not null,
  subject_id bigint not null,
  step varchar(10) not null,
  epoch integer not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  fence integer not null default 0,
  attempts integer not null default 0,
  done_at timestamptz,
  outcome varchar(20) check (outcome in ('FIRED', 'CANCELLED')),
  last_error varchar(500),
  constraint timer_step_key primary key (kind, subject_id, step, epoch),
  check ((done_at is null) = (outcome is null))
);
create index timer_due on timer (due_at) where done_at is null;
