import { SchoolDetail, type SetupStep, setupSteps } from '@tocsin/contract/school/school'
import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { Flex, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import '#ui/tone/tones.css'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { Contacts } from './contact/Contacts.tsx'
import { VerifyContact } from './contact/VerifyContact.tsx'
import { GeofenceDrawing } from './GeofenceDrawing.tsx'
import { openRecordsPath } from './school-routes.ts'

const facts: readonly Column<SchoolDetail>[] = [
  column(SchoolDetail, 'code'),
  column(SchoolDetail, 'stage', { word: 'stage' }),
  column(SchoolDetail, 'areaType', { word: 'areaType' }),
  column(SchoolDetail, 'eduDeptName'),
  column(SchoolDetail, 'policeDeptName'),
  column(SchoolDetail, 'studentCount'),
  column(SchoolDetail, 'boarding', { show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDetail, 'boarderCount'),
  column(SchoolDetail, 'staffCount'),
  column(SchoolDetail, 'principalName'),
  column(SchoolDetail, 'safetyOfficerName'),
  column(SchoolDetail, 'legalViceHeadName'),
  column(SchoolDetail, 'dutyPhone'),
  column(SchoolDetail, 'address'),
  column(SchoolDetail, 'lng'),
  column(SchoolDetail, 'lat'),
  column(SchoolDetail, 'coordinateSystem', { word: 'coordinateSystem' }),
  column(SchoolDetail, 'statusReason'),
  column(SchoolDetail, 'updateTime'),
]

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="school-card" aria-label={title}>
    <Typography.Title level={5}>{title}</Typography.Title>
    {children}
  </section>
)

/** The link to do the next missing step. */
const stepAddress = (step: SetupStep, id: number): string =>
  ({
    STATION: `/school/form?id=${id}`,
    LOCATION: `/school/form?id=${id}`,
    PLACES: `/school/detail/${id}?tab=places`,
    PEOPLE: `/school/employee?schoolId=${id}`,
    CONTACTS: `/school/form?id=${id}`,
    DEVICES: `/school/detail/${id}?tab=devices`,
    TEST: '/device/test',
  })[step]

const SetupSteps = ({ school: { id, stepsDone } }: { school: SchoolDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Card title={t('school.setup')}>
      <Typography.Paragraph type="secondary">
        {t('school.setupDone', { n: stepsDone.length, all: setupSteps.length })}
      </Typography.Paragraph>
      <ol className="school-steps">
        {setupSteps.map((step) => {
          const isDone = stepsDone.includes(step)
          const label = enumLabel('setupStep', step, lang)
          return (
            <li key={step} data-done={isDone}>
              {isDone ? <CheckCircleFilled aria-hidden /> : <MinusCircleOutlined aria-hidden />}
              {isDone ? <span>{label}</span> : <Link to={stepAddress(step, id)}>{label}</Link>}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

const Figure = ({ n, label, to }: { n: number; label: string; to?: string | false }) => (
  <div className="school-figure">
    <strong>{n}</strong>
    {to ? <Link to={to}>{label}</Link> : <span>{label}</span>}
  </div>
)

const DeviceFigures = ({ school }: { school: SchoolDetail }) => {
  const { t } = useTranslation()
  const mayDevices = useHasPermission('device:school-device:query')
  const { id, deviceCount, onlineCount, overdueTestCount, openAlarmCount } = school
  const list = `/device/schoolDevice?schoolId=${id}`
  return (
    <Card title={`${t('school.tabDevices')} ${deviceCount}`}>
      {deviceCount === 0 && <Typography.Text type="secondary">{t('school.noDevices')}</Typography.Text>}
      <Flex gap="large" wrap>
        <Figure n={onlineCount} label={t('school.online')} to={mayDevices && `${list}&connectivity=ONLINE`} />
        <Figure n={deviceCount - onlineCount} label={t('school.notOnline')} to={mayDevices && list} />
        <Figure n={overdueTestCount} label={t('school.overdueTests')} to={mayDevices && `${list}&testOverdue=true`} />
        {openAlarmCount !== null && (
          <Figure n={openAlarmCount} label={t('school.openAlarms')} to={openRecordsPath(id, 'LIVE')} />
        )}
      </Flex>
    </Card>
  )
}

/** An overview of a school: missing steps, devices, contacts, location. */
export const SchoolOverview = ({ school }: { school: SchoolDetail }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('school:school:update')
  return (
    <Flex vertical gap="middle">
      <div className="school-cards">
        {mayUpdate && school.stepsDone.length < setupSteps.length && <SetupSteps school={school} />}
        <DeviceFigures school={school} />
        <Card title={t('school.contacts')}>
          <Contacts
            contacts={school.emergencyContacts}
            actions={(contact, position) =>
              mayUpdate &&
              school.status !== 'CLOSED' && <VerifyContact school={school} contact={contact} position={position} />
            }
          />
        </Card>
        <Card title={t('school.fence')}>
          <GeofenceDrawing fence={school.geofence} at={school} />
        </Card>
      </div>
      <DescriptionList row={school} columns={facts} />
    </Flex>
  )
}
