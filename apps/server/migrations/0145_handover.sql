-- Handovers between two people, and shifts that begin at the alarm desk.

create table handover (
  id bigint generated always as identity primary key,
  school_id bigint references school (id),
  dept_id bigint references dept (id),
  state varchar(10) not null default 'DRAFT' check (state in ('DRAFT', 'GIVEN', 'DONE', 'CANCELLED')),
  giver_id bigint not null references users (id),
  taker_id bigint references users (id),
  note text check (char_length(note) <= 500),
  taker_note text check (char_length(taker_note) <= 500),
  given_at timestamptz,
  taken_at timestamptz,
  summary jsonb,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check ((school_id is null) <> (dept_id is null)),
  check (taker_id <> giver_id),
  check ((state = 'DONE') = (taker_id is not null)),
  check ((state = 'DONE') = (summary is not null))
);
comment on table handover is '交接班';
-- A person hands over one thing at a time.
create unique index handover_open on handover (giver_id) where state in ('DRAFT', 'GIVEN');
create index handover_school on handover (school_id, id);
create index handover_dept on handover (dept_id, id) where dept_id is not null;
create index handover_taker on handover (taker_id) where taker_id is not null;

alter table shift drop constraint shift_check_in_method_check;
alter table shift add constraint shift_check_in_method_check
  check (check_in_method in ('HAND', 'QR', 'POSITION', 'DESK'));
