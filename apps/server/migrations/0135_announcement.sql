-- Announcements to a scope of people (domain 2.5, 2.12 I): text, editions, receipts.
create table announcement (
  id bigint generated always as identity primary key,
  title varchar(100) not null,
  -- What readers see; before the first publication, the draft.
  content text not null check (length(content) <= 65535),
  pinned boolean not null default false,
  needs_sign boolean not null default true,
  target varchar(10) not null default 'ALL' check (target in ('ALL', 'SCOPE')),
  dept_ids bigint[] not null default '{}',
  school_ids bigint[] not null default '{}',
  role_ids bigint[] not null default '{}',
  dept_id bigint not null constraint announcement_dept_fkey references dept (id),
  author_id bigint not null references users (id),
  text_by bigint not null references users (id),
  submitted_by bigint references users (id),
  reviewer_id bigint references users (id),
  state varchar(15) not null default 'DRAFT' check (state in ('DRAFT', 'PENDING_REVIEW', 'SCHEDULED', 'PUBLISHED',
    'EXPIRED', 'WITHDRAWN')),
  publish_at timestamptz,
  published_at timestamptz,
  valid_until timestamptz,
  edition integer not null default 0 check (edition >= 0),
  audience integer not null default 0,
  reminded_at timestamptz,
  withdraw_reason varchar(500),
  -- The next edition while it is written and reviewed.
  revision_state varchar(15) check (revision_state in ('DRAFT', 'PENDING_REVIEW')),
  revision_title varchar(100),
  revision_content text check (length(revision_content) <= 65535),
  revision_pinned boolean,
  revision_valid_until timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  -- Nobody reviews what they wrote or submitted.
  check (reviewer_id is null or (reviewer_id <> author_id and reviewer_id <> text_by
    and reviewer_id is distinct from submitted_by)),
  check (state <> 'SCHEDULED' or (reviewer_id is not null and publish_at is not null)),
  check ((state in ('DRAFT', 'PENDING_REVIEW', 'SCHEDULED')) <= (edition = 0)),
  check ((revision_state is null) = (revision_title is null) and (revision_state is null) = (revision_content is null))
);
comment on table announcement is '公告';
create index announcement_dept on announcement (dept_id, state);
create index announcement_published on announcement (published_at desc, id desc) where state = 'PUBLISHED';

-- What readers saw, edition by edition.
create table announcement_edition (
  announcement_id bigint not null references announcement (id),
  edition integer not null check (edition > 0),
  title varchar(100) not null,
  content text not null,
  published_at timestamptz not null default now(),
  text_by bigint not null references users (id),
  reviewed_by bigint not null references users (id),
  primary key (announcement_id, edition),
  check (text_by <> reviewed_by)
);
comment on table announcement_edition is '公告版本';

create table announcement_receipt (
  announcement_id bigint not null,
  user_id bigint not null references users (id),
  edition integer not null,
  read_at timestamptz not null default now(),
  signed_at timestamptz,
  primary key (announcement_id, user_id, edition),
  constraint announcement_receipt_edition_fkey foreign key (announcement_id, edition)
    references announcement_edition (announcement_id, edition)
);
comment on table announcement_receipt is '公告回执';
create index announcement_receipt_edition on announcement_receipt (announcement_id, edition);
create index announcement_receipt_user on announcement_receipt (user_id);

create table announcement_log (
  id bigint generated always as identity primary key,
  announcement_id bigint not null references announcement (id) on delete cascade,
  at timestamptz not null default now(),
  user_id bigint references users (id),
  verb varchar(20) not null check (verb in ('create', 'submit', 'approve', 'return', 'publish', 'publishOnTime',
    'schedule', 'revise', 'submitRevision', 'approveRevision', 'returnRevision', 'dropRevision', 'withdraw', 'expire',
    'remind')),
  to_state varchar(15) not null check (to_state in ('DRAFT', 'PENDING_REVIEW', 'SCHEDULED', 'PUBLISHED', 'EXPIRED',
    'WITHDRAWN')),
  edition integer not null,
  text varchar(500)
);
comment on table announcement_log is '公告时间线';
create index announcement_log_announcement on announcement_log (announcement_id, id);
