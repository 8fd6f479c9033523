import { SchoolDetail, type SchoolRow, schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { Flex, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { Contacts } from './Contacts.tsx'
import { GeofenceDrawing } from './GeofenceDrawing.tsx'
import { schoolColumns } from './school-columns.tsx'

const facts: readonly Column<SchoolDetail>[] = [
  ...schoolColumns,
  column(SchoolDetail, 'boarding', { show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDetail, 'boarderCount'),
  column(SchoolDetail, 'staffCount'),
  column(SchoolDetail, 'address'),
  column(SchoolDetail, 'lng'),
  column(SchoolDetail, 'lat'),
  column(SchoolDetail, 'createTime'),
  column(SchoolDetail, 'updateTime'),
]

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Typography.Title level={5} style={{ marginTop: 0 }}>
      {title}
    </Typography.Title>
    {children}
  </section>
)

const Detail = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(schools.get, { query: { id } }))
  return (
    <QueryResult query={query}>
      {(school) => (
        <Flex vertical gap="large">
          <DescriptionList row={school} columns={facts} />
          <Section title={t('school.contacts')}>
            <Contacts contacts={school.emergencyContacts} />
          </Section>
          <Section title={t('school.fence')}>
            <GeofenceDrawing fence={school.geofence} at={school} />
          </Section>
        </Flex>
      )}
    </QueryResult>
  )
}

type Props = { school: Pick<SchoolRow, 'id' | 'name'>; onClose: () => void }

export const SchoolDrawer = ({ school, onClose }: Props) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={school.name}>
    <Detail id={school.id} />
  </ReadDrawer>
)
