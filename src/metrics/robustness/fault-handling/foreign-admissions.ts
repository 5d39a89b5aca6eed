/** How an answer in another language than English says that it could not get, or not do, what was asked for. */
export const foreignAdmissions = [
  {
    id: 'german',
    meaning: 'It says so in German.',
    pattern:
      '(?:konnten?|kann|können|könnte)\\b[^.!?]{0,100}?\\bnicht\\b|\\bnicht (?:möglich|gelungen|verfügbar|erreichbar|gefunden|abrufbar|vollständig|aktuell|erreichen)|(?:derzeit|zurzeit|momentan|gerade) nicht|zeitüberschreitung|antwortet nicht|\\bkeine?n? (?:daten|ergebnis|einträge|treffer|antwort|angaben|informationen)|\\bnichts (?:gefunden|erhalten)|(?:fehler|problem) (?:bei|beim|in|im|mit)|(?:abfrage|suche|anfrage|zugriff|verbindung)[^.!?]{0,40}fehlgeschlagen|veraltet|unvollständig|unlesbar',
  },
  {
    id: 'french',
    meaning: 'It says so in French.',
    pattern:
      "\\b(?:n'ai|n'avons|n'a|n'ont) (?:malheureusement )?(?:pas (?:pu|réussi|trouvé|reçu|obtenu)|rien|trouvé aucun)|impossible (?:de|d')|\\bindisponible|injoignable|inaccessible|ne répond|délai (?:d'attente )?dépassé|\\baucune? (?:donnée|résultat|information|réponse)|erreur (?:\\w+ ){0,2}(?:lors|pendant|avec)|(?:requête|recherche|consultation) (?:\\w+ )?échoué|incompl[eè]t|obsolète|périmé|n'est pas disponible",
  },
  {
    id: 'spanish-portuguese-italian',
    meaning: 'It says so in Spanish, Portuguese or Italian.',
    pattern:
      '(?<!\\p{L})(?:no|não|non) (?:he podido|hemos podido|pude|puedo|pudimos|podemos|se pudo|se ha podido|fue posible|ha sido posible|es posible|logré|encontré|encuentro|está disponible|responde|hay (?:datos|resultados|información)|consegui|foi possível|encontrei|está disponível|tenho (?:acesso|dados)|sono riuscit[oa]|è stato possibile|riesco|posso|ho trovato|è disponibile|risponde|ho (?:accesso|dati))|tiempo de espera|tempo (?:limite|esgotado|scaduto)|sin respuesta|sem resposta|ningún (?:dato|resultado)|nenhum (?:dado|resultado)|nessun (?:dato|risultato)|desactualizad|desatualizad|non aggiornat|incomplet[oai]|error al|erro ao|errore (?:durante|nel)|(?:ha|han|tem|è) (?:fallado|falhado|fallit[oa])|falló|falhou',
  },
  {
    id: 'dutch',
    meaning: 'It says so in Dutch.',
    pattern:
      '\\b(?:kon|kan|konden|kunnen)\\b[^.!?]{0,100}?\\bniet\\b|niet (?:beschikbaar|bereikbaar|gelukt|gevonden)|geen (?:gegevens|resultaten|antwoord|informatie)|verouderd|onvolledig|fout (?:bij|tijdens)',
  },
  {
    id: 'slavic',
    meaning: 'It says so in Russian, Ukrainian or Polish.',
    pattern:
      'не (?:удалось|смог|могу|получилось|отвечает|вдалося|можу)|недоступ|нет (?:данных|ответа)|ничего не (?:найдено|нашлось)|ошибка (?:при|в)|устарел|nie (?:udało|mogę|mogłem|odpowiada|znaleziono|jest dostępn)|niedostępn|brak (?:danych|odpowiedzi|wyników)|nieaktualn',
  },
  {
    id: 'chinese-japanese-korean',
    meaning: 'It says so in Chinese, Japanese or Korean.',
    pattern:
      '(?:无法|無法|不能|没能|未能)(?:成功)?(?:获取|取得|访问|連接|连接|查询|查詢|读取|讀取|找到|完成|确认)|超时|逾時|不可用|没有(?:找到|结果|数据|响应)|未找到|(?:取得|アクセス|確認|検索|接続|読み込み|予約)(?:が|は|を)?(?:でき(?:ません|なかった)|失敗)|利用できません|タイムアウト|見つかりません|応答(?:が|は)?(?:ありません|ない)|(?:가져|접근|확인|조회|연결|찾)[^.!?]{0,12}(?:수 없|못했|실패)|시간 ?초과|사용할 수 없',
  },
] as const;
