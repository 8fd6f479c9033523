-- Shifts of all schools at a time (domain 2.5): today's page, and who is on duty now.
create index shift_from on shift (from_at desc, id);
