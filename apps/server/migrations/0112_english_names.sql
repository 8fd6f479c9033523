-- English names beside the Chinese ones. Null: the console shows the name in both languages.
alter table role add name_en varchar(50);
alter table dept add name_en varchar(64);
alter table warn_rule add name_en varchar(64);

update role set name_en = label.name_en from (values
  ('super_admin', '系统管理员', 'System administrator'),
  ('edu_bureau', '教育局管理员', 'Education bureau administrator'),
  ('school_admin', '学校管理员', 'School administrator'),
  ('safety_officer', '学校安全员', 'School safety officer'),
  ('guard', '学校保安', 'School guard'),
  ('counsellor', '心理辅导员', 'Counsellor'),
  ('command_operator', '指挥中心接警员', 'Command centre operator'),
  ('shift_lead', '指挥中心值班长', 'Command centre shift lead'),
  ('station_desk', '派出所值班员', 'Police station desk'),
  ('officer', '民警', 'Police officer'),
  ('maintainer', '设备维护员', 'Device maintainer'),
  ('supervisor', '督导员', 'Supervisor'),
  ('security_admin', '安全管理员', 'Security administrator'),
  ('auditor', '审计员', 'Auditor'),
  ('api_client', '接口客户端', 'API client')
) as label (code, name, name_en) where role.code = label.code and role.name = label.name;

update dept set name_en = label.name_en from (values
  ('EDU', '教育局', 'Education bureau'),
  ('POLICE', '公安局', 'Public security bureau'),
  ('OPERATOR', '运营中心', 'Operations centre')
) as label (code, name, name_en) where dept.code = label.code and dept.name = label.name;

update warn_rule set name_en = label.name_en from (values
  ('紧急报警', 'Emergency alarm'),
  ('静默紧急报警', 'Silent emergency alarm'),
  ('胁迫取消', 'Cancel under duress'),
  ('医疗求助', 'Medical help'),
  ('手动火警', 'Manual fire alarm'),
  ('对讲呼叫', 'Intercom call'),
  ('语音求救（高声）', 'Call for help (loud)'),
  ('语音求救（重复）', 'Call for help (repeated)'),
  ('语音求救', 'Call for help'),
  ('语音欺凌（高声）', 'Bullying heard (loud)'),
  ('语音欺凌（重复）', 'Bullying heard (repeated)'),
  ('语音欺凌', 'Bullying heard'),
  ('暴力声响（高声）', 'Sound of violence (loud)'),
  ('暴力声响（重复）', 'Sound of violence (repeated)'),
  ('暴力声响', 'Sound of violence'),
  ('入侵报警', 'Intrusion'),
  ('设备离线', 'Device offline'),
  ('设备频繁上下线', 'Device flapping'),
  ('主电丢失', 'Mains power lost'),
  ('电池电量低', 'Battery low'),
  ('设备故障', 'Device fault'),
  ('自检未通过', 'Self-test failed'),
  ('消息序号缺失', 'Gap in message numbers'),
  ('消息过多被丢弃', 'Messages dropped'),
  ('同一设备重复连接', 'Device connected twice'),
  ('连接参数不合规', 'Connection parameters not compliant'),
  ('设备防拆', 'Device tampered with')
) as label (name, name_en) where warn_rule.name = label.name;
