-- Closed records drawn for a lead's second look at how they were handled (domain 2.8).
alter table warn_record add column sampled boolean not null default false;
