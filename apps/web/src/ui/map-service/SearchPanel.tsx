import { Alert, Button, Flex, Input, Pagination, Typography } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createDelay,
  noPlaces,
  PAGE_SIZE,
  type Place,
  type PlacePage,
  type PlaceSearch,
  type Suggestion,
} from './places.ts'

type Wanted = { keyword: string; gbCode: string }

/** Searches one after the other; only the last answer counts. */
const usePlaceSearch = (places: PlaceSearch, onSearchComplete: ((page: PlacePage) => void) | undefined) => {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  const [found, setFound] = useState<PlacePage>()
  const [wanted, setWanted] = useState<Wanted>({ keyword: '', gbCode: '' })
  const [hasFailed, setHasFailed] = useState(false)
  const [delay] = useState(() => createDelay())
  const latest = useRef(0)
  useEffect(() => () => delay.cancel(), [delay])

  const ask = async <Answer,>(begin: () => Promise<Answer>, show: (answer: Answer) => void) => {
    latest.current += 1
    const own = latest.current
    try {
      const answer = await begin()
      if (own !== latest.current) return
      setHasFailed(false)
      show(answer)
    } catch {
      if (own === latest.current) setHasFailed(true)
    }
  }
  const find = (next: Wanted, page: number) => {
    delay.cancel()
    setSuggestions([])
    setWanted(next)
    if (next.keyword.trim() === '') return setFound(noPlaces)
    return void ask(
      () => places.find(next.keyword.trim(), page, next.gbCode),
      (answer) => {
        setFound(answer)
        onSearchComplete?.(answer)
      },
    )
  }
  const suggest = (text: string) =>
    delay.run(() => {
      if (text.trim() === '') return setSuggestions([])
      return void ask(() => places.suggest(text.trim()), setSuggestions)
    })
  return { suggestions, found, hasFailed, wanted, find, suggest }
}

const PlaceRow = ({ place, onClick }: { place: Pick<Place, 'name' | 'address' | 'lonlat'>; onClick: () => void }) => {
  const { t } = useTranslation()
  const at = place.lonlat ? place.lonlat.map((degrees) => degrees.toFixed(5)).join(', ') : t('mapService.noPosition')
  return (
    <li>
      <Button type="text" block className="map-service-row" onClick={onClick}>
        <b>{place.name}</b>
        <Typography.Text type="secondary">{[place.address, at].filter(Boolean).join(' · ')}</Typography.Text>
      </Button>
    </li>
  )
}

const SuggestionRow = ({ suggestion, onClick }: { suggestion: Suggestion; onClick: () => void }) => {
  const { t } = useTranslation()
  const { name, address, lonlat, gbCode } = suggestion
  const code = gbCode === '' ? '' : t('mapService.gbCode', { code: gbCode })
  return <PlaceRow place={{ name, address: [address, code].filter(Boolean).join(' · '), lonlat }} onClick={onClick} />
}

const FoundList = ({
  found,
  onPoi,
  onPage,
  onCity,
}: {
  found: PlacePage
  onPoi: (place: Place) => void
  onPage: (page: number) => void
  onCity: (adminCode: string) => void
}) => {
  const { t } = useTranslation()
  const { places, cities, count, page } = found
  if (places.length === 0 && cities.length === 0)
    return <Typography.Text type="secondary">{t('mapService.nothingFound')}</Typography.Text>
  return (
    <>
      <ul className="map-service-list" aria-label={t('mapService.results')}>
        {places.map((place, index) => (
          <PlaceRow key={`${place.name} ${index}`} place={place} onClick={() => onPoi(place)} />
        ))}
        {cities.map(({ name, count: inCity, adminCode }) => (
          <li key={adminCode}>
            <Button type="text" block className="map-service-row" onClick={() => onCity(adminCode)}>
              {t('mapService.inCity', { name, n: inCity })}
            </Button>
          </li>
        ))}
      </ul>
      {count > PAGE_SIZE && places.length > 0 && (
        <Pagination
          size="small"
          current={page}
          pageSize={PAGE_SIZE}
          total={count}
          showSizeChanger={false}
          onChange={onPage}
        />
      )}
    </>
  )
}

type SearchPanelProps = {
  places: PlaceSearch
  placeholder?: string
  onPoiClick?: (place: Place) => void
  onSuggestClick?: (suggestion: Suggestion) => void
  onSearchComplete?: (page: PlacePage) => void
}

/** Search with suggestions while typing, and pages of ten places. */
export const SearchPanel = ({
  places,
  placeholder,
  onPoiClick,
  onSuggestClick,
  onSearchComplete,
}: SearchPanelProps) => {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const { suggestions, found, hasFailed, wanted, find, suggest } = usePlaceSearch(places, onSearchComplete)
  const choose = (suggestion: Suggestion) => {
    setText(suggestion.name)
    onSuggestClick?.(suggestion)
    find({ keyword: suggestion.name, gbCode: suggestion.gbCode }, 1)
  }
  const hint = placeholder ?? t('mapService.searchHint')
  return (
    <Flex vertical gap="small">
      <Input.Search
        value={text}
        placeholder={hint}
        aria-label={hint}
        maxLength={40}
        onChange={({ target }) => {
          setText(target.value)
          suggest(target.value)
        }}
        onSearch={(keyword) => find({ keyword, gbCode: '' }, 1)}
      />
      {hasFailed && <Alert type="warning" showIcon title={t('mapService.noAnswer')} />}
      {suggestions.length > 0 ? (
        <ul className="map-service-list" aria-label={t('mapService.suggestions')}>
          {suggestions.map((suggestion, index) => (
            <SuggestionRow
              key={`${suggestion.name} ${index}`}
              suggestion={suggestion}
              onClick={() => choose(suggestion)}
            />
          ))}
        </ul>
      ) : (
        found && (
          <FoundList
            found={found}
            onPoi={(place) => onPoiClick?.(place)}
            onPage={(page) => find(wanted, page)}
            onCity={(gbCode) => find({ ...wanted, gbCode }, 1)}
          />
        )
      )}
    </Flex>
  )
}
