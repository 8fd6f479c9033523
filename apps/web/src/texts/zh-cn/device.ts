export const device = {
  known: '已登记设备',
  strangers: '被拒绝的陌生设备',
  noDevices: '尚无设备。设备登记后会出现在这里。',
  noStrangers: '没有被拒绝的陌生设备',
  noModels: '尚无设备型号',
  noInstallations: '尚无已安装的设备',
  flapping: '频繁上下线',
  network: '网络状态',
  identity: '设备档案',
}
