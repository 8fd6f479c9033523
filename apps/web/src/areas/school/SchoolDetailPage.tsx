import { type SchoolDetail, schools } from '@tocsin/contract/school/school'
import type { SchoolVerb } from '@tocsin/contract/school/school-status'
import { useQuery } from '@tanstack/react-query'
import { Flex, Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { confirmLeave } from '#ui/form/unsaved-guard.ts'
import { ReadinessBadge } from '#ui/readiness/ReadinessBadge.tsx'
import { RelatedAlarms } from '#ui/related/RelatedAlarms.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { IssueOrderButton } from '#ui/workflow/IssueOrderButton.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { PlaceEditor } from './place/PlaceEditor.tsx'
import './school.css'
import { SchoolOverview } from './SchoolOverview.tsx'
import { SchoolDevices, SchoolPeople } from './school-tabs.tsx'
import { SchoolVerbDialog, useSchoolVerbs } from './SchoolVerbDialog.tsx'

const SchoolPlans = lazyComponent(async () => (await import('./plan/SchoolPlans.tsx')).SchoolPlans)

const Verbs = ({ school }: { school: SchoolDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const mayUpdate = useHasPermission('school:school:update')
  const verbsOf = useSchoolVerbs()
  const [asking, setAsking] = useState<SchoolVerb>()
  const verbs = verbsOf(school).map((verb) => ({
    key: verb,
    label: enumLabel('schoolVerb', verb, lang),
    danger: verb === 'close' || verb === 'suspend',
    run: () => setAsking(verb),
  }))
  const edit = {
    key: 'edit',
    label: t('list.edit'),
    run: () => void navigate(`/school/form?id=${school.id}`),
  }
  const next = school.status === 'ACTIVE' ? [] : verbs
  const later = school.status === 'ACTIVE' ? verbs : []
  return (
    <>
      <VerbButtons verbs={[...next, ...(mayUpdate && school.status !== 'CLOSED' ? [edit] : []), ...later]} />
      {asking && <SchoolVerbDialog verb={asking} school={school} onClose={() => setAsking(undefined)} />}
    </>
  )
}

const Detail = ({ school }: { school: SchoolDetail }) => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const choose = async (key: string) => {
    if (await confirmLeave([pathname])) setParams({ tab: key }, { replace: true })
  }
  const mayPlaces = useHasPermission('school:place:query')
  const mayDevices = useHasPermission('device:school-device:query')
  const mayAlarms = useHasPermission('warn:record:query')
  const mayPeople = useHasPermission('school:employee:query')
  const { id } = school
  const tab = (key: string, label: string, children: ReactNode) => ({ key, label, children })
  const subtitle = [school.address, school.policeDeptName, school.dutyPhone].filter(Boolean).join(' · ')
  return (
    <WorkflowPage
      title={school.name}
      tags={
        <>
          <EnumTag kind="schoolStatus" value={school.status} />
          <ReadinessBadge prefix score={school.readiness} schoolId={id} />
        </>
      }
      subtitle={subtitle || school.code}
      actions={
        <Flex gap="small" wrap>
          <Verbs school={school} />
          <IssueOrderButton subjectType="SCHOOL" subjectId={id} />
        </Flex>
      }
    >
      <Tabs
        destroyOnHidden
        // The list of jobs links here to continue an import of places.
        activeKey={params.get('tab') ?? (params.has('import') ? 'places' : 'overview')}
        onChange={(key) => void choose(key)}
        items={[
          tab('overview', t('school.tabOverview'), <SchoolOverview school={school} />),
          ...(mayPlaces
            ? [
                tab('places', `${t('school.tabPlaces')} ${school.placeCount}`, <PlaceEditor schoolId={id} />),
                tab('plans', t('plan.title'), <SchoolPlans schoolId={id} />),
              ]
            : []),
          ...(mayDevices
            ? [tab('devices', `${t('school.tabDevices')} ${school.deviceCount}`, <SchoolDevices schoolId={id} />)]
            : []),
          ...(mayPeople ? [tab('people', t('school.tabPeople'), <SchoolPeople schoolId={id} />)] : []),
          ...(mayAlarms
            ? [
                tab(
                  'alarms',
                  `${t('school.tabAlarms')} ${school.openAlarmCount ?? ''}`,
                  <RelatedAlarms of={{ schoolId: id }} />,
                ),
              ]
            : []),
        ]}
      />
    </WorkflowPage>
  )
}

/** All data of one school on one page. */
export const SchoolDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(schools.get, { query: { id: Number(id) } }))
  const name = query.data?.name
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return <QueryResult query={query}>{(school) => <Detail school={school} />}</QueryResult>
}
