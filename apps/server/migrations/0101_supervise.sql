-- Supervision orders (domain 2.5, 2.10).
create table supervise_order (
  id bigint generated always as identity primary key,
  no varchar(20) not null constraint supervise_order_no_key unique,
  kind varchar(20) not null check (kind in
    ('ALARM_OVERDUE', 'FALSE_ALARM_HIGH', 'DEVICE_UNREADY', 'HAZARD', 'DUTY_ABSENT', 'BULLY_OVERDUE', 'MANUAL')),
  subject_type varchar(20) not null default 'NONE' check (subject_type in ('WARN_RECORD', 'SCHOOL_DEVICE', 'SCHOOL', 'NONE')),
  subject_id bigint,
  subject_label varchar(200),
  title varchar(100) not null,
  content varchar(4000) not null,
  requirement varchar(2000) not null,
  issuer_dept_id bigint not null references dept (id),
  issuer_id bigint references users (id),
  responsible_dept_id bigint not null references dept (id),
  school_id bigint references school (id),
  responsible_user_id bigint references users (id),
  assist_dept_ids bigint[] not null default '{}',
  state varchar(15) not null default 'DRAFT' check (state in ('DRAFT', 'ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED',
    'RETURNED', 'CONCLUDED', 'EVALUATED', 'TRANSFERRED', 'REVOKED')),
  issued_at timestamptz,
  sign_due_at timestamptz,
  due_at timestamptz not null,
  nodes jsonb not null default '[]',
  signed_by bigint references users (id),
  signed_at timestamptz,
  submitted_by bigint references users (id),
  submitted_at timestamptz,
  concluded_by bigint references users (id),
  concluded_at timestamptz,
  evaluation integer check (evaluation between 1 and 5),
  extension_state varchar(10) check (extension_state in ('REQUESTED', 'APPROVED', 'REFUSED')),
  extension_count integer not null default 0 check (extension_count between 0 and 2),
  extension_to timestamptz,
  extension_reason varchar(500),
  extension_progress varchar(500),
  transferred_from bigint references supervise_order (id),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check ((subject_type = 'NONE') = (subject_id is null)),
  -- Issuer, responsible and concluder are different people.
  check (issuer_id is distinct from responsible_user_id or issuer_id is null),
  check (issuer_id is distinct from signed_by or issuer_id is null),
  check (issuer_id is distinct from submitted_by or issuer_id is null),
  check (concluded_by is null or (concluded_by is distinct from issuer_id and concluded_by is distinct from signed_by
    and concluded_by is distinct from submitted_by and concluded_by is distinct from responsible_user_id))
);
comment on table supervise_order is '督办单';
create unique index supervise_order_open_key on supervise_order (kind, subject_type, subject_id)
  where subject_id is not null and state in ('ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED', 'RETURNED');
create index supervise_order_due on supervise_order (due_at)
  where state in ('ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED', 'RETURNED');
create index supervise_order_responsible on supervise_order (responsible_dept_id, state);
create index supervise_order_issuer on supervise_order (issuer_dept_id, state);
create index supervise_order_transferred on supervise_order (transferred_from) where transferred_from is not null;

-- Who sees an order: the issuing side from the draft on, the responsible and assisting sides from its issue on.
create table supervise_party (
  id bigint generated always as identity primary key,
  order_id bigint not null references supervise_order (id) on delete cascade,
  part varchar(15) not null check (part in ('ISSUER', 'RESPONSIBLE', 'ASSIST')),
  dept_id bigint references dept (id),
  school_id bigint references school (id),
  user_id bigint references users (id)
);
comment on table supervise_party is '督办单相关单位';
create index supervise_party_order on supervise_party (order_id);
create index supervise_party_dept on supervise_party (dept_id, order_id);
create index supervise_party_school on supervise_party (school_id, order_id) where school_id is not null;
create index supervise_party_user on supervise_party (user_id, order_id) where user_id is not null;

create table supervise_order_log (
  id bigint generated always as identity primary key,
  order_id bigint not null references supervise_order (id),
  at timestamptz not null default now(),
  user_id bigint references users (id),
  verb varchar(20) not null check (verb in ('issue', 'issueAutomatically', 'sign', 'progress', 'submit', 'conclude', 'return',
    'evaluate', 'requestExtension', 'approveExtension', 'refuseExtension', 'transfer', 'revoke', 'remindSign', 'remindSoon',
    'remindDue', 'remindLate', 'remindUpward')),
  to_state varchar(15) not null check (to_state in ('DRAFT', 'ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED',
    'RETURNED', 'CONCLUDED', 'EVALUATED', 'TRANSFERRED', 'REVOKED')),
  text varchar(2000)
);
comment on table supervise_order_log is '督办单时间线';
create index supervise_order_log_order on supervise_order_log (order_id, id);

-- The last number of each day.
create table daily_number (
  kind varchar(10) not null,
  day date not null,
  count integer not null,
  primary key (kind, day)
);
comment on table daily_number is '每日编号';
