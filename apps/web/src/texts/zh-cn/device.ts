export const device = {
  known: '已登记设备',
  strangers: '被拒绝的设备',
  noDevices: '尚无设备。设备登记后会出现在这里。',
  noStrangers: '没有被拒绝的设备',
  noModels: '尚无设备型号',
  noInstallations: '尚无已安装的设备',
  flapping: '频繁上下线',
  network: '网络状态',
  identity: '设备档案',
  abilities: '能力与命令',
  mounting: '安装情况',
  days: '约 {count} 天',
}
