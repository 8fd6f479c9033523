import type { ComponentType } from 'react'
import { demoScreens } from './areas/demo/screens.tsx'

type Screen = () => Promise<ComponentType>

/** The screens a menu can name: exactly the component string of SPEC 2 plus the screen (DESIGN 4). */
export const screens: Readonly<Record<string, Screen>> = {
  'dashboard/index': async () => (await import('./areas/insight/home/DashboardPage.tsx')).DashboardPage,
  'school/index': async () => (await import('./areas/school/SchoolPage.tsx')).SchoolPage,
  'device/index': async () => (await import('./areas/device/store/DevicePage.tsx')).DevicePage,
  'device/detail': async () => (await import('./areas/device/detail/DeviceDetailPage.tsx')).DeviceDetailPage,
  'device/labels': async () => (await import('./areas/device/labels/LabelPage.tsx')).LabelPage,
  'device/install': async () => (await import('./areas/device/on-site/InstallPage.tsx')).InstallPage,
  'device/test': async () => (await import('./areas/device/test/ButtonTestPage.tsx')).ButtonTestPage,
  'device/test/detail': async () => (await import('./areas/device/test/ButtonTestDetailPage.tsx')).ButtonTestDetailPage,
  'schoolDevice/detail': async () =>
    (await import('./areas/device/detail/InstallationDetailPage.tsx')).InstallationDetailPage,
  'device/model/index': async () => (await import('./areas/device/model/DeviceModelPage.tsx')).DeviceModelPage,
  'myNotice/index': async () => (await import('./areas/notices/MyNoticePage.tsx')).MyNoticePage,
  'profile/qr-confirm': async () => (await import('./areas/access/profile/QrConfirmPage.tsx')).QrConfirmPage,
  'profile/index': async () => (await import('./areas/access/profile/ProfilePage.tsx')).ProfilePage,
  'system/user/index': async () => (await import('./areas/access/user/UserPage.tsx')).UserPage,
  'system/role/index': async () => (await import('./areas/access/role/RolePage.tsx')).RolePage,
  'system/dept/index': async () => (await import('./areas/access/dept/DeptPage.tsx')).DeptPage,
  'system/menu/index': async () => (await import('./areas/access/menu/MenuPage.tsx')).MenuPage,
  'bully/merchantUser/index': async () => (await import('./areas/access/merchant/MerchantPage.tsx')).MerchantPage,
  'codegen/index': async () => (await import('./areas/codegen/CodegenPage.tsx')).CodegenPage,
  'system/notice/index': async () => (await import('./areas/notices/NoticePage.tsx')).NoticePage,
  'system/dict/index': async () => (await import('./areas/settings/DictTypePage.tsx')).DictTypePage,
  'system/dict/data': async () => (await import('./areas/settings/DictDataPage.tsx')).DictDataPage,
  'system/config/index': async () => (await import('./areas/settings/ConfigPage.tsx')).ConfigPage,
  'system/login-log/index': async () => (await import('./areas/audit/LoginLogPage.tsx')).LoginLogPage,
  'system/log/index': async () => (await import('./areas/audit/AuditLogPage.tsx')).AuditLogPage,
  'system/file/index': async () => (await import('./areas/files/FilePage.tsx')).FilePage,
  'system/online/index': async () => (await import('./areas/access/OnlinePage.tsx')).OnlinePage,
  ...demoScreens,
  'schoolDevice/index': async () => (await import('./areas/device/installation/SchoolDevicePage.tsx')).SchoolDevicePage,
  'warn/desk/index': async () => (await import('./areas/alarm/desk/DeskPage.tsx')).DeskPage,
  'warn/list/index': async () => (await import('./areas/alarm/rule/RulePage.tsx')).RulePage,
  'warn/record/index': async () => (await import('./areas/alarm/record/RecordPage.tsx')).RecordPage,
  'warn/warnLog/index': async () => (await import('./areas/alarm/log/LogPage.tsx')).LogPage,
}
