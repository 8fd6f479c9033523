-- School calendar: days that differ, and terms. Rows of a department hold for every school below it; the nearest wins.

create table school_calendar_day (
  id bigint generated always as identity primary key,
  dept_id bigint not null references dept (id) on delete cascade,
  day date not null,
  kind varchar(8) not null check (kind in ('CLASS', 'HOLIDAY', 'EXAM', 'MAKEUP')),
  name varchar(32),
  official boolean not null default false,
  constraint school_calendar_day_key unique (dept_id, day)
);
comment on table school_calendar_day is '校历';

create table school_term (
  id bigint generated always as identity primary key,
  dept_id bigint not null references dept (id) on delete cascade,
  name varchar(32) not null,
  from_day date not null,
  to_day date not null,
  from_min integer not null check (from_min >= 0 and from_min <= 1439),
  to_min integer not null check (to_min >= 1 and to_min <= 1440),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint school_term_days check (from_day <= to_day),
  constraint school_term_hours check (from_min < to_min),
  constraint school_term_key unique (dept_id, name)
);
comment on table school_term is '学期';
