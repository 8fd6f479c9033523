-- Menu labels of the alarm area. Entries that people renamed keep their names.
update menu set name = '接警' where path = '/warn' and parent_id is null and name = '预警'
  and not exists (select from menu as other where other.parent_id is null and other.name = '接警');
update menu set name = '警情记录' where component = 'warn/record/index' and name = '预警记录';
update menu set name = '接警规则' where component = 'warn/list/index' and name = '预警规则';
update menu set name = '警情日志' where component = 'warn/warnLog/index' and name = '预警日志';
update menu set name = label.name, name_en = label.name_en
  from (values
    ('warn:record:claim', '认领', '接警', 'Claim'),
    ('warn:record:release', '释放', '退回队列', 'Release'),
    ('warn:record:reassign', '转派', '转交', 'Reassign'),
    ('warn:record:dispatch', '派人到场', '派人', 'Send'),
    ('warn:record:escalate', '升级', '转警方', 'Hand to police'),
    ('warn:record:resolve', '处置', '处置完成', 'Resolve'),
    ('warn:record:false', '误报', '标记误报', 'Mark as false alarm'),
    ('warn:record:close', '审核关闭', '结案', 'Close')
  ) as label (permission, old_name, name, name_en)
  where menu.permission = label.permission and menu.name = label.old_name;
