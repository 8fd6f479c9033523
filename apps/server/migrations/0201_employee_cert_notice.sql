-- A row for each certificate and expiry date whose holder and school were warned: the key makes the notice unique.
create table employee_cert_notice (
  employee_id bigint not null references employee (id) on delete cascade,
  expires_on date not null,
  noticed_at timestamptz not null default now(),
  primary key (employee_id, expires_on)
);
comment on table employee_cert_notice is '已发出的证件到期提醒';
comment on column employee_cert_notice.expires_on is '提醒所针对的到期日；改期后重新提醒';
