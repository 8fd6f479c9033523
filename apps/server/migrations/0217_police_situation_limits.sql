-- Milestones are written once. An incident that is received again or reopened has new limits, which count from here.
alter table police_situation add column limits_from timestamptz;
comment on column police_situation.limits_from is '时限重新计时的时间，空为首次';
