-- Messages to people about one matter (domain 2.11, H). A row keeps no full address: it is read when the message leaves.
create table delivery (
  id bigint generated always as identity primary key,
  subject_type varchar(20) not null check (subject_type in ('RECORD', 'ASSIGNMENT', 'SITUATION', 'ORDER',
    'ANNOUNCEMENT', 'DUTY', 'DRILL', 'TEST')),
  subject_id bigint not null,
  -- One planning of the subject: of its messages to one person, a receipt of one cancels the later ones.
  plan_key varchar(60) not null,
  school_id bigint references school (id),
  dept_id bigint constraint delivery_dept_fkey references dept (id) on delete set null,
  user_id bigint references users (id) on delete set null,
  recipient_name varchar(64) not null,
  address varchar(100),
  channel varchar(20) not null check (channel in ('INAPP', 'SMS', 'VOICE', 'EMAIL', 'WECOM_ROBOT', 'DINGTALK', 'FEISHU',
    'WEBHOOK')),
  level integer not null check (level between 1 and 4),
  step integer not null default 0,
  attempts integer not null default 0,
  state varchar(12) not null check (state in ('PLANNED', 'QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'READ', 'REPLIED',
    'FAILED', 'EXPIRED', 'SUPPRESSED', 'CANCELLED')),
  title varchar(100) not null,
  body varchar(500) not null,
  link varchar(200),
  reason varchar(20) check (reason in ('NO_RECIPIENT', 'NO_ADDRESS', 'NOT_CONFIGURED', 'CLAIMED', 'RECEIVED', 'ENDED',
    'REVOKED', 'RECIPIENT_DISABLED')),
  provider_msg_id varchar(100),
  provider_answer varchar(300),
  resend_of_id bigint references delivery (id) on delete set null,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  expires_at timestamptz not null,
  lease_until timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  replied_at timestamptz,
  ended_at timestamptz,
  check ((state in ('SUPPRESSED', 'CANCELLED')) = (reason is not null)),
  -- Also set where the matter ended: nothing is tried again, and no page shows the message any longer.
  check (state not in ('FAILED', 'EXPIRED', 'SUPPRESSED', 'CANCELLED') or ended_at is not null)
);
comment on table delivery is '送达记录';
create index delivery_due on delivery (due_at) where state in ('PLANNED', 'QUEUED', 'SENDING');
create index delivery_subject on delivery (subject_type, subject_id, plan_key);
create index delivery_created on delivery (created_at desc, id desc);
create index delivery_inbox on delivery (user_id, id) where channel = 'INAPP' and state in ('SENT', 'DELIVERED');
create index delivery_group on delivery (channel, sent_at) where user_id is null;
create index delivery_school on delivery (school_id);
create index delivery_resend on delivery (resend_of_id);

-- Who is told when nobody claims, by class and level; a class of null stands for every class without its own policy.
create table notify_policy (
  id bigint generated always as identity primary key,
  name varchar(64) not null constraint notify_policy_name_key unique,
  enabled boolean not null default true,
  class varchar(20) check (class in ('PANIC', 'VOICE', 'BULLY', 'INTRUSION', 'MEDICAL', 'FIRE', 'DEVICE_HEALTH',
    'SECURITY_DUTY')),
  level integer not null check (level between 1 and 4),
  steps jsonb not null,
  loops integer not null default 0 check (loops between 0 and 3),
  fallback jsonb not null,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
comment on table notify_policy is '通知策略';
create unique index notify_policy_target_key on notify_policy (coalesce(class, ''), level) where enabled;
