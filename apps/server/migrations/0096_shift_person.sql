-- People of shifts, swaps between two people, and the coverage gaps that were told.

alter table shift add constraint shift_employee_id_fkey foreign key (employee_id) references employee (id);

create table shift_swap (
  id bigint generated always as identity primary key,
  school_id bigint references school (id),
  dept_id bigint references dept (id),
  shift_id bigint not null references shift (id) on delete cascade,
  other_shift_id bigint not null references shift (id) on delete cascade,
  asked_by bigint not null references employee (id),
  asked bigint not null references employee (id),
  state varchar(10) not null default 'ASKED' check (state in ('ASKED', 'AGREED', 'REFUSED', 'WITHDRAWN')),
  note varchar(200),
  answered_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
comment on table shift_swap is '换班申请';
create unique index shift_swap_open on shift_swap (shift_id) where state = 'ASKED';
create index shift_swap_school on shift_swap (school_id);

-- Each gap is told once; the beginning identifies it.
create table coverage_notice (
  school_id bigint not null references school (id) on delete cascade,
  from_at timestamptz not null,
  noticed_at timestamptz not null default now(),
  primary key (school_id, from_at)
);
comment on table coverage_notice is '已通知的覆盖缺口';
