-- Why a school is suspended or closed, as the person said who did it.
alter table school add column status_reason varchar(200);
