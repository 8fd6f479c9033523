-- Reports of a subject that a user gets by mail once a period has ended.
create table report_subscription (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  subject_type varchar(8) not null check (subject_type in ('SCHOOL', 'DEPT', 'STATION')),
  subject_id bigint not null,
  kind varchar(8) not null check (kind in ('DAY', 'WEEK', 'MONTH')),
  -- First day of the last period that was sent, or that had ended when the user subscribed.
  last_day date not null,
  created_at timestamptz not null default now(),
  constraint report_subscription_key unique (user_id, subject_type, subject_id, kind)
);
comment on table report_subscription is '报表订阅';
create index report_subscription_due on report_subscription (kind, last_day);

alter table delivery drop constraint delivery_subject_type_check;
alter table delivery add constraint delivery_subject_type_check check (subject_type in ('RECORD', 'ASSIGNMENT',
  'SITUATION', 'ORDER', 'ANNOUNCEMENT', 'DUTY', 'DRILL', 'TEST', 'REPORT'));
