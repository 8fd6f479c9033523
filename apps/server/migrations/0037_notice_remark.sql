-- What those who write and publish a notice note about it; no reader of the notice sees it.
alter table notice add column remark varchar(500);
