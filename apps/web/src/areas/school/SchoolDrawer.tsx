import { SchoolDetail, type SchoolRow, schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { Flex, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readInPlace } from '#api/query.ts'
import { Answer } from '#ui/statement/Answer.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { type Column, column } from '#ui/column.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { Contacts } from './Contacts.tsx'
import { Fence } from './Fence.tsx'
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
  const query = useQuery(readInPlace(schools.get, { query: { id } }))
  return (
    <Answer query={query}>
      {(school) => (
        <Flex vertical gap="large">
          <Facts row={school} columns={facts} />
          <Section title={t('school.contacts')}>
            <Contacts contacts={school.emergencyContacts} />
          </Section>
          <Section title={t('school.fence')}>
            <Fence fence={school.geofence} at={school} />
          </Section>
        </Flex>
      )}
    </Answer>
  )
}

type Props = { school: Pick<SchoolRow, 'id' | 'name'>; onClose: () => void }

export const SchoolDrawer = ({ school, onClose }: Props) => (
  <ReadDrawer onClose={onClose} size="min(720px, 100vw)" title={school.name}>
    <Detail id={school.id} />
  </ReadDrawer>
)
