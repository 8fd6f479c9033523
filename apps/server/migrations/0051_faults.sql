-- What lasts of a record's condition, by the names the device gave; '' for what it gave none.
alter table warn_record add column faults text[] not null default '{}';
